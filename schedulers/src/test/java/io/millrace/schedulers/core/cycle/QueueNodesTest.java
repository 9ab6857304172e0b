package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes with the attribute queue serve that queue's jobs only, and these jobs run nowhere else. */
class QueueNodesTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);

  @BeforeEach
  void cluster() {
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("wq1"));
    state.facts().written(Records.queue("workq"));
    for (String name : List.of("n1", "n2", "n3")) {
      bind(name, "");
      state.facts().node(Records.node(name, "h" + name, 4, 1L << 30));
    }
  }

  @Test
  void aQueueWithNodesRunsItsJobsOnThemAndNobodyElseDoes() {
    bind("n2", "wq1");
    submit(1, "workq", "ncpus=4");
    submit(2, "workq", "ncpus=4");
    submit(3, "workq", "ncpus=4");
    submit(4, "wq1", "ncpus=3");
    submit(5, "wq1", "ncpus=3");
    assertEquals("1:n1 2:n3 4:n2", starts());
  }

  @Test
  void aQueueWithoutNodesTakesThoseOfNobody() {
    submit(1, "wq1", "select=3:ncpus=4");
    assertEquals("1:n1+n2+n3", starts());
  }

  @Test
  void whatRunsStaysAndWhatWaitsIsLookedAtAgain() {
    submit(1, "workq", "ncpus=2");
    assertEquals("1:n1", starts());
    bind("n1", "wq1");
    submit(2, "wq1", "ncpus=3,walltime=60");
    submit(3, "workq", "select=3:ncpus=3");
    assertEquals("", starts());
    assertFalse(state.workDue());
    bind("n2", "wq1");
    assertEquals("2:n2", starts());
    state.facts().gone(1);
    bind("n1", "");
    bind("n2", "");
    state.facts().gone(2);
    assertEquals("3:n1+n2+n3", starts());
  }

  @Test
  void aPromiseIsNotKeptOnANodeOfAnotherQueue() {
    submit(1, "workq", "select=3:ncpus=4,walltime=100");
    submit(2, "workq", "select=1:ncpus=4,walltime=60");
    assertEquals("1:n1+n2+n3", starts());
    assertEquals("n1", nodes(state.promises().get(0).shares()));
    bind("n1", "wq1");
    assertEquals("", starts());
    assertEquals("n2", nodes(state.promises().get(0).shares()));
  }

  @Test
  void theNumbersInReasonsAreOfTheNodesThatServeTheQueue() {
    bind("n3", "wq1");
    submit(1, "wq1", "select=2:ncpus=4");
    assertEquals("", starts());
    assertEquals(
        "It can never run here: it needs ncpus 8, and there is no more than ncpus 4 even when"
            + " nothing runs.",
        words());
  }

  @Test
  void aQueueWhoseNodesAreOfOtherPartitionsOrDownHasNone() {
    state.facts().written(Records.object(ObjectKind.NODE, "n2", "queue", "wq1", "partition", "p1"));
    submit(1, "wq1", "ncpus=1");
    assertEquals("", starts());
    assertEquals("No node of queue wq1 is up and free to be used.", words());
    bind("n2", "wq1");
    assertEquals("1:n2", starts());
    state.facts().gone(1);
    state.facts().nodeDown("n2");
    submit(2, "wq1", "ncpus=1");
    assertEquals("", starts());
    ClassReason reason = state.reasons().take(9).reasons().get(0);
    assertEquals("NO_QUEUE_NODES", reason.getCode());
    assertEquals(
        "Not Running: No available resources on nodes",
        ReasonText.pbsComment(reason, ResourceTable.standard()));
    // The queue loses its last bound node, so unbound nodes serve it.
    state.facts().deleted(ObjectKind.NODE, "n2");
    assertEquals("2:n1", starts());
  }

  @Test
  void whereOthersHaveAllNodesThatIsSaid() {
    for (String name : List.of("n1", "n2", "n3")) {
      bind(name, "wq1");
    }
    submit(1, "workq", "ncpus=1");
    assertEquals("", starts());
    assertEquals(
        "Each node of partition pbs-default that is up and free to be used is of another queue.",
        words());
    state.facts().nodeDown("n1");
    state.facts().nodeDown("n2");
    state.facts().nodeDown("n3");
    assertEquals("", starts());
    assertEquals("No node of partition pbs-default is up and free to be used.", words());
  }

  @Test
  void anEventOnNodesOfOthersHasNobodyWithoutARoomTriedAgain() {
    bind("n3", "wq1");
    submit(1, "wq1", "ncpus=4");
    submit(2, "workq", "select=2:ncpus=4");
    submit(3, "workq", "ncpus=4");
    assertEquals("1:n3 2:n1+n2", starts());
    state.facts().gone(1);
    CycleDecisions after = Cycle.run(state, NOW, Long.MAX_VALUE);
    assertTrue(after.starts().isEmpty());
    assertTrue(after.left().isEmpty(), "looked at again: " + after.left());
  }

  private void bind(String node, String queue) {
    state.facts().written(Records.object(ObjectKind.NODE, node, "queue", queue));
  }

  private void submit(long number, String queue, String request) {
    state.facts().job(Records.job(number, queue, 0, request));
  }

  private String words() {
    return ReasonText.words(state.reasons().take(9).reasons().get(0), ResourceTable.standard());
  }

  /** Starts of a cycle with the nodes of each. */
  private String starts() {
    List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
    for (Start it : starts) {
      state.facts().granted(it.jobNumber(), Records.allocation(it.shares()), NOW.toEpochMilli());
    }
    return starts.stream()
        .map(it -> it.jobNumber() + ":" + nodes(it.shares()))
        .collect(Collectors.joining(" "));
  }

  private static String nodes(List<NodeShare> shares) {
    return shares.stream().map(NodeShare::getNode).collect(Collectors.joining("+"));
  }
}
