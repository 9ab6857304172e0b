package io.millrace.connectors.local;

import java.nio.file.Path;

@Beside
class ShellSupervisorTest extends ExecutionContract {
  @Override
  Path supervisor() {
    return Supervisors.shell();
  }

  @Override
  int many() {
    return 60; // a start in shell takes tens of milliseconds
  }
}
