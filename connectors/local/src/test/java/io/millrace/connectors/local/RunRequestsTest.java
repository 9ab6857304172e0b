package io.millrace.connectors.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.schemas.output.StartRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunRequestsTest {

  private static StartRun order(String shells) {
    StartRun order = Shards.order("n1", "7.here", "true", Path.of("/out"));
    order.getSpec().setShell(shells);
    return order;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/bin/csh@n1,/bin/bash|/bin/csh",
        "/bin/bash,/bin/csh@n1|/bin/csh",
        "/bin/csh@n2,/bin/bash|/bin/bash",
        "/bin/csh@n2|''",
        "/bin/bash|/bin/bash",
        "''|''"
      })
  void theHostOfTheRunChoosesTheShell(String shells, String chosen) {
    RunProgram program = RunRequests.of(order(shells), 0).program();
    assertEquals(chosen, assertInstanceOf(RunProgram.Script.class, program).shell());
  }

  @Test
  void anInteractiveJobsToo() {
    StartRun order = order("/bin/csh@n1,/bin/bash");
    order.getSpec().setTerminal("here:1");
    RunProgram program = RunRequests.of(order, 0).program();
    assertEquals("/bin/csh", assertInstanceOf(RunProgram.Terminal.class, program).shell());
  }
}
