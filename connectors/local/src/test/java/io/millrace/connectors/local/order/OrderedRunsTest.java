package io.millrace.connectors.local.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.MemoryLimits;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  @Test
  void aRunKnowsWhatItHasOfEachHost() {
    StartRun order = order("");
    order
        .getAllocation()
        .setShares(
            List.of(
                new NodeShare("a", "n2", 2, Map.of("ncpus", 4L, "mem", 2048L)),
                new NodeShare("n1", "n1", 1, Map.of("ncpus", 2L, "mpiprocs", 2L)),
                new NodeShare("b", "n2", 1, Map.of("ncpus", 1L, "mem", 1024L))));
    RunNodes nodes = OrderedRuns.of(order, 0).context().nodes();
    assertEquals(
        List.of(
            new RunNodes.NodeHost("n2", 3, 5, 3, 3, Map.of("ncpus", 5L, "mem", 3072L)),
            new RunNodes.NodeHost("n1", 2, 2, 0, 1, Map.of("ncpus", 2L, "mpiprocs", 2L))),
        nodes.hosts());
    assertEquals(List.of("n2", "n2", "n1", "n1", "n2"), nodes.lines());
  }

  @Test
  void aTaskOfACampaignKeepsItsAttempt() {
    StartRun order = order("");
    assertEquals("", OrderedRuns.of(order, 0).terms().campaign());
    order.getSpec().setCampaign("5.17.2");
    assertEquals("5.17.2", OrderedRuns.of(order, 0).terms().campaign());
  }

  /** A user may ask for as many processes as a number has room for; the executor has to go on. */
  @Test
  void aNodeFileThatFillsTheMemoryIsRefused() {
    StartRun order = order("");
    for (NodeShare share :
        List.of(
            new NodeShare("n", "n1", 1, Map.of("mpiprocs", Long.MAX_VALUE)),
            new NodeShare("n", "n1", Integer.MAX_VALUE, Map.of()))) {
      order.getAllocation().setShares(List.of(share, share));
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> OrderedRuns.of(order, 0));
      assertEquals(
          "the node file of the run would have more than 100000 lines", refused.getMessage());
    }
  }

  /** qalter -S of a job whose command its shell starts. */
  @Test
  void aCommandOfGridEngineIsStartedByTheShellThatItsJobHasNow() {
    StartRun order = order("");
    order.getSpec().setArgv(List.of("/bin/csh", "-c", "sleep 1"));
    order.getSpec().setShell("/bin/sh");
    assertEquals(
        List.of("/bin/csh", "-c", "sleep 1"),
        ((RunProgram.CommandProgram) OrderedRuns.of(order, 0).program()).words());
    order
        .getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    assertEquals(
        List.of("/bin/sh", "-c", "sleep 1"),
        ((RunProgram.CommandProgram) OrderedRuns.of(order, 0).program()).words());
  }

  @ParameterizedTest
  @CsvSource({"-1,0,0", "9,0,9", "-1,3,3", "9,3,3", "3,9,3"})
  void aRunLastsAsLongAsItsJobAndItsQueuesSay(long asked, long allowed, long lasts) {
    StartRun order = order("");
    order.getSpec().getRequest().setWalltimeS(asked);
    order.getAllocation().setGridEngine(GridEngineGrant.newBuilder().setWalltimeS(allowed).build());
    assertEquals(lasts, OrderedRuns.of(order, 0).terms().limits().walltimeS());
  }

  /** A task's supervisor does not see what the others of its run use. */
  @Test
  void limitsOfProcessorTimeAreThoseOfTheJob() {
    StartRun order = order("");
    assertEquals(CpuLimits.NONE, OrderedRuns.of(order, 0).terms().limits().cpu());
    order
        .getSpec()
        .setResourceList(
            List.of(new Attribute("cput", "100:02:03"), new Attribute("pcput", "00:00:00")));
    assertEquals(new CpuLimits(360_123, 1), OrderedRuns.of(order, 0).terms().limits().cpu());
    order.setTask(new TaskOrder(1, 0, List.of("true"), true));
    assertEquals(new CpuLimits(0, 1), OrderedRuns.of(order, 0).terms().limits().cpu());
  }

  /** On each host what was set aside there; what was not asked for is not bounded. */
  @Test
  void limitsOfMemoryAreWhatWasSetAsideOnTheHost() {
    StartRun order = order("");
    assertEquals(new MemoryLimits(1 << 20, 0), OrderedRuns.of(order, 0).terms().limits().memory());
    order
        .getAllocation()
        .setShares(
            List.of(
                new NodeShare("n1", "n1", 1, Map.of("mem", 4096L, "vmem", Long.MAX_VALUE)),
                new NodeShare("n1b", "n1", 1, Map.of("mem", 8192L, "vmem", 1L)),
                new NodeShare("n2", "n2", 1, Map.of("mem", 1L << 40))));
    assertEquals(
        new MemoryLimits(12, Long.MAX_VALUE / 1024),
        OrderedRuns.of(order, 0).terms().limits().memory());
    order.getAllocation().setShares(List.of(new NodeShare("n1", "n1", 1, Map.of("mem", 0L))));
    assertEquals(new MemoryLimits(1, 0), OrderedRuns.of(order, 0).terms().limits().memory());
  }

  /** The script and tasks have what was set aside for all chunks on the host. */
  @ParameterizedTest
  @CsvSource({
    "'',6",
    "free,6",
    "pack,6",
    "scatter:shared,6",
    "vscatter:group=rack,6",
    "excl,0",
    "pack:excl,0",
    "scatter:exclhost,0"
  })
  void whoSharesHisHostHasProcessorsOfHisOwn(String place, int processors) {
    StartRun order = order("");
    order.getSpec().getRequest().setPlace(place);
    order
        .getAllocation()
        .setShares(
            List.of(
                new NodeShare("n2", "n2", 1, Map.of("ncpus", 16L)),
                new NodeShare("n1", "n1", 2, Map.of("ncpus", 4L)),
                new NodeShare("n1b", "n1", 1, Map.of("ncpus", 2L)),
                new NodeShare("n1c", "n1", 1, Map.of("mem", 4096L))));
    assertEquals(processors, OrderedRuns.of(order, 0).terms().limits().processors());
    order.setTask(new TaskOrder(1, 1, List.of("true"), true));
    assertEquals(processors, OrderedRuns.of(order, 0).terms().limits().processors());
    order.setTask(null);
    order.getAllocation().setShares(List.of(new NodeShare("n1", "n1", 1, Map.of("ncpus", 0L))));
    assertEquals(0, OrderedRuns.of(order, 0).terms().limits().processors());
    order
        .getAllocation()
        .setShares(List.of(new NodeShare("n1", "n1", 1, Map.of("ncpus", Long.MAX_VALUE))));
    assertEquals(
        processors == 0 ? 0 : Integer.MAX_VALUE,
        OrderedRuns.of(order, 0).terms().limits().processors());
  }

  @Test
  void anInteractiveJobsToo() {
    StartRun order = order("/bin/csh@n1,/bin/bash");
    order.getSpec().setTerminal("here:1");
    RunProgram program = OrderedRuns.of(order, 0).program();
    assertEquals("/bin/csh", assertInstanceOf(RunProgram.Terminal.class, program).shell());
  }
}
