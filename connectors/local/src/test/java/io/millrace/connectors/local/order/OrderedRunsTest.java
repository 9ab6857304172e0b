package io.millrace.connectors.local.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderedRunsTest {

  private static StartRun order(String shells) {
    StartRun order = FakeShards.order("n1", "7.here", "true", Path.of("/out"));
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
    RunProgram program = OrderedRuns.of(order(shells), 0).program();
    assertEquals(chosen, assertInstanceOf(RunProgram.Script.class, program).shell());
  }

  /** A task's supervisor does not see what the others of its run use. */
  @Test
  void limitsOfProcessorTimeAreThoseOfTheJob() {
    StartRun order = order("");
    assertEquals(CpuLimits.NONE, OrderedRuns.of(order, 0).terms().cpu());
    order
        .getSpec()
        .setResourceList(
            List.of(new Attribute("cput", "100:02:03"), new Attribute("pcput", "00:00:00")));
    assertEquals(new CpuLimits(360_123, 1), OrderedRuns.of(order, 0).terms().cpu());
    order.setTask(new TaskOrder(1, 0, List.of("true"), true));
    assertEquals(new CpuLimits(0, 1), OrderedRuns.of(order, 0).terms().cpu());
  }

  @Test
  void anInteractiveJobsToo() {
    StartRun order = order("/bin/csh@n1,/bin/bash");
    order.getSpec().setTerminal("here:1");
    RunProgram program = OrderedRuns.of(order, 0).program();
    assertEquals("/bin/csh", assertInstanceOf(RunProgram.Terminal.class, program).shell());
  }
}
