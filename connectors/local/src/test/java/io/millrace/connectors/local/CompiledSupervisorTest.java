package io.millrace.connectors.local;

import java.nio.file.Path;

class CompiledSupervisorTest extends ExecutionContract {
  @Override
  Path supervisor() throws java.io.IOException, InterruptedException {
    return Supervisors.compiled();
  }
}
