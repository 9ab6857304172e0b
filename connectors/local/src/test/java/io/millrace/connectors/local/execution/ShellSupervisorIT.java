package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.ConcurrentRuns;
import java.nio.file.Path;

@ConcurrentRuns
class ShellSupervisorIT extends ExecutionContract {
  @Override
  Path supervisor() {
    return Supervisors.shell();
  }

  @Override
  int many() {
    return 60; // a start in shell takes tens of milliseconds
  }
}
