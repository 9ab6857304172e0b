package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.ConcurrentRuns;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ConcurrentRuns
@ExtendWith(ShellAtNight.Condition.class)
class ShellSupervisorIT extends ExecutionContract {
  @Override
  Path supervisor() {
    return Supervisors.shell();
  }

  @Override
  int many() {
    return NIGHT ? 60 : 12; // a start in shell takes tens of milliseconds
  }

  /** A shell takes a minute of processor time for the thousands of lines that fill the FIFO. */
  @Override
  @Test
  @Tag("night")
  void aSupervisorThatDoesNotReadHoldsUpNobody() throws Exception {
    super.aSupervisorThatDoesNotReadHoldsUpNobody();
  }
}
