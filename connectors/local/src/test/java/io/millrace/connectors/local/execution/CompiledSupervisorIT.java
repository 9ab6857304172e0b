package io.millrace.connectors.local.execution;

import java.nio.file.Path;

class CompiledSupervisorIT extends ExecutionContract {
  @Override
  Path supervisor() throws java.io.IOException, InterruptedException {
    return Supervisors.compiled();
  }
}
