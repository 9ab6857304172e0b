package io.millrace.connectors.local;

import java.nio.file.Path;

class ShellSupervisorTest extends ExecutionContract {
  @Override
  Path supervisor() throws java.io.IOException, InterruptedException {
    return Supervisors.shell();
  }
}
