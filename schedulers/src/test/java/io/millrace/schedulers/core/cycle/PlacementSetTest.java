package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sets of nodes that the administrator makes, as in OpenPBS's own cases and sources. */
class PlacementSetTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);
  private final List<String> queue = new ArrayList<>(List.of("started", "True"));
  private final List<String> scheduler = new ArrayList<>(List.of("scheduling", "True"));
  private long next = 1;

  /** Switch A: n0 to n2; B: n3 and n4; none: n5. Two processors each. */
  @BeforeEach
  void cluster() {
    for (String name : List.of("switch", "rack")) {
      state
          .facts()
          .written(Records.object(ObjectKind.RESOURCE, name, "type", "string_array", "flag", "h"));
    }
    write(ObjectKind.SCHEDULER, "default", scheduler);
    write(ObjectKind.QUEUE, "q", queue);
    Stream.of("n0", "n1", "n2").forEach(it -> node(it, "A"));
    Stream.of("n3", "n4").forEach(it -> node(it, "B"));
    node("n5", "");
    server("node_group_key", "switch", "node_group_enable", "True");
  }

  @Test
  void theSmallestSetThatFitsIsTakenAndNodesWithoutAValueAreOne() {
    assertEquals(List.of("n5"), run("select=1:ncpus=2"));
    assertEquals(List.of("n3", "n4"), run("select=2:ncpus=2"));
    assertEquals(List.of("n0", "n1", "n2"), run("select=3:ncpus=2"));
  }

  @Test
  void onlyExplicitSetsLeaveOutNodesWithoutAValue() {
    scheduler("only_explicit_psets", "True");
    assertEquals(List.of("n3"), run("select=1:ncpus=2"));
    assertEquals(List.of("n0", "n1"), run("select=2:ncpus=2"));
    assertEquals(List.of(), run("select=3:ncpus=2"));
    assertEquals("Not Running: Placement set switch=A has too few free resources", comment());
  }

  @Test
  void oneThatFitsIntoNoSetSpansThem() {
    assertEquals(List.of("n0", "n1", "n2", "n3"), run("select=4:ncpus=2"));
  }

  @Test
  void oneThatFitsIntoASetWaitsForItThoughNodesAreFree() {
    run("select=1:ncpus=2:vnode=n0,walltime=100");
    assertEquals(List.of(), run("select=3:ncpus=2,walltime=60"));
    Promise promise = state.promises().get(0);
    assertEquals(NOW.toEpochMilli() + 100_000, promise.fromMs());
    assertEquals(
        List.of("n0", "n1", "n2"), promise.shares().stream().map(NodeShare::getNode).toList());
    // Backfilled, in the smallest set, and not on what is promised beyond its time.
    assertEquals(List.of("n3", "n4"), run("select=2:ncpus=2,walltime=600"));
    assertEquals(List.of(), run("select=2:ncpus=2,walltime=600"));
    assertEquals(List.of("n1", "n2"), run("select=2:ncpus=2,walltime=50"));
  }

  @Test
  void oneThatMayNotSpanNeverRuns() {
    scheduler("do_not_span_psets", "True");
    assertEquals(List.of(), run("select=4:ncpus=2"));
    assertEquals(
        "Can Never Run: can't fit in the largest placement set, and can't span psets", comment());
    assertTrue(state.promises().isEmpty());
    scheduler("do_not_span_psets", "False");
    assertEquals(List.of("n0", "n1", "n2", "n3"), again());
  }

  @Test
  void withoutNodeGroupEnableThereAreNoSetsButThoseOfJobs() {
    server("node_group_key", "switch");
    node("n4", "B", "r1");
    assertEquals(List.of("n0"), run("select=1:ncpus=2"));
    assertEquals(List.of("n4"), run("select=1:ncpus=2,place=group=rack"));
  }

  @Test
  void aQueueHasKeysOfItsOwn() {
    node("n1", "A", "r1");
    node("n3", "B", "r1");
    queue.addAll(List.of("node_group_key", "rack"));
    write(ObjectKind.QUEUE, "q", queue);
    assertEquals(List.of("n1", "n3"), run("select=2:ncpus=2"));
    server("node_group_enable", "True");
    assertEquals(List.of("n0", "n2"), run("select=2:ncpus=2"), "of the set without a rack");
  }

  @Test
  void theSetsOfSeveralKeysAreTriedTogether() {
    node("n1", "A", "r1");
    node("n2", "A", "r1");
    node("n3", "B", "r1");
    node("n4", "B", "r2");
    server("node_group_key", "switch,rack", "node_group_enable", "True");
    // The switch without a name and rack r2 have a node each; the keys are in their order.
    assertEquals(List.of("n5"), run("select=1:ncpus=2"));
    assertEquals(List.of("n4"), run("select=1:ncpus=2"));
    assertEquals(List.of("n0", "n1"), run("select=2:ncpus=2"));
  }

  @Test
  void ofEqualSetsTheOneWithLessFreeIsTaken() {
    node("n2", "B");
    node("n5", "A");
    run("select=1:ncpus=2:vnode=n3");
    assertEquals(List.of("n2", "n4"), run("select=2:ncpus=2"));
  }

  @Test
  void aJobThatIsPackedIsOnOneHostOfASet() {
    assertEquals(List.of("n5"), run("select=2:ncpus=1,place=pack"));
    assertEquals(List.of("n3"), run("select=2:ncpus=1,place=pack"));
  }

  @Test
  void aChangeOfKeysIsHeardByWhatWaits() {
    scheduler("do_not_span_psets", "True");
    assertEquals(List.of(), run("select=5:ncpus=2"));
    server("node_group_key", "switch", "node_group_enable", "False");
    assertEquals(List.of("n0", "n1", "n2", "n3", "n4"), again());
  }

  @Test
  void manySetsCostALookAtEach() {
    int nodes = 2000;
    for (int i = 0; i < nodes; i++) {
      node("x" + i, "s" + i / 10);
    }
    run("select=1:ncpus=1");
    submit("select=10:ncpus=2,place=scatter");
    CycleDecisions decisions = Cycle.run(state, NOW, Long.MAX_VALUE);
    assertEquals(1, decisions.starts().size());
    assertTrue(decisions.work().units() < 500, "units " + decisions.work().units());
  }

  private void write(ObjectKind kind, String name, List<String> pairs) {
    state.facts().written(Records.object(kind, name, pairs.toArray(String[]::new)));
  }

  private void server(String... pairs) {
    write(ObjectKind.SERVER, "server", List.of(pairs));
  }

  private void scheduler(String name, String value) {
    scheduler.addAll(0, List.of(name, value));
    write(ObjectKind.SCHEDULER, "default", scheduler);
  }

  private void node(String name, String onSwitch, String... rack) {
    List<String> pairs = new ArrayList<>(List.of("resources_available.switch", onSwitch));
    if (rack.length > 0) {
      pairs.addAll(List.of("resources_available.rack", rack[0]));
    }
    write(ObjectKind.NODE, name, pairs);
    state.facts().node(Records.node(name, "h" + name, 2, 1L << 30));
  }

  private void submit(String request) {
    state.facts().job(Records.job(next++, "q", 0, request));
  }

  private List<String> run(String request) {
    submit(request);
    return again();
  }

  /** Names of the nodes of the job that starts; none when none does. */
  private List<String> again() {
    List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
    if (starts.isEmpty()) {
      return List.of();
    }
    Start start = starts.get(0);
    state
        .facts()
        .granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
    return start.shares().stream().map(NodeShare::getNode).toList();
  }

  /** What the job that waits is told. */
  private String comment() {
    List<ClassReason> reasons = state.reasons().take(1).reasons();
    return ReasonText.pbsComment(reasons.get(0), ResourceTable.standard());
  }
}
