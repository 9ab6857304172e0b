package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** place=group=RESOURCE: all chunks on nodes with the same value. */
class NodeGroupTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);

  @BeforeEach
  void cluster() {
    state.facts().written(Records.rack());
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("q"));
    node("a1", "r1,west");
    node("a2", "r1");
    node("b1", "r2,west");
    node("b2", "r2");
    node("b3", "r2");
    node("c1", "");
  }

  @Test
  void theSmallestGroupThatHasRoomIsTaken() {
    assertEquals(List.of("a1", "a2"), run(1, "select=2:ncpus=3,place=scatter:group=rack"));
    assertEquals(List.of("b1", "b2"), run(2, "select=4:ncpus=2,place=group=rack"));
    // The nodes without a value are a set too, and the smallest one.
    assertEquals(List.of("c1"), run(3, "select=2:ncpus=1,place=pack:group=rack"));
    assertEquals(List.of("b3"), run(4, "select=1:ncpus=4,place=free:group=rack"));
  }

  @Test
  void oneThatNoGroupEverHoldsNeverRunsWhereJobsDoNotSpan() {
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER,
                "default",
                "scheduling",
                "True",
                "do_not_span_psets",
                "True"));
    assertEquals(List.of(), run(1, "select=4:ncpus=4,place=group=rack,walltime=60"));
    assertEquals(ReasonCode.SET_NEVER.name(), state.reasons().take(1).reasons().get(0).getCode());
    assertTrue(state.promises().isEmpty());
  }

  @Test
  void oneThatWaitsIsPromisedAGroup() {
    run(1, "select=1:ncpus=4:vnode=b1,walltime=100");
    run(2, "select=1:ncpus=4:vnode=b3,walltime=200");
    assertEquals(List.of(), run(3, "select=3:ncpus=4,place=group=rack,walltime=60"));
    Promise promise = state.promises().get(0);
    assertEquals(NOW.toEpochMilli() + 200_000, promise.fromMs());
    assertEquals(
        List.of("b1", "b2", "b3"), promise.shares().stream().map(NodeShare::getNode).toList());
  }

  @Test
  void theSearchForAGroupLooksAtNodesOnlyWhereSomethingEnds() {
    int nodes = 300;
    for (int i = 0; i < nodes; i++) {
      node("x" + i, "x" + i / 10);
    }
    for (int i = 0; i < nodes; i++) {
      run(i + 1, "select=1:ncpus=4:vnode=x" + i + ",walltime=" + (100 + i * 7 % nodes));
    }
    submit(1000, "select=10:ncpus=4,place=scatter:group=rack,walltime=60");
    CycleDecisions decisions = Cycle.run(state, NOW, Long.MAX_VALUE);
    assertEquals(10, decisions.promises().get(0).shares().size());
    long end = NOW.toEpochMilli() + 1000L * (100 + nodes);
    assertTrue(decisions.promises().get(0).fromMs() < end);
    assertTrue(decisions.work().units() < 10 * nodes, "units " + decisions.work().units());
  }

  @Test
  void aPromiseIsNotKeptOnNodesThatAreOfOneGroupNoLonger() {
    run(1, "select=1:ncpus=4:vnode=b1,walltime=100");
    run(2, "select=1:ncpus=4:vnode=a1,walltime=200");
    assertEquals(List.of(), run(3, "select=3:ncpus=3,place=scatter:group=rack,walltime=60"));
    assertEquals(NOW.toEpochMilli() + 100_000, state.promises().get(0).fromMs());
    node("b3", "r1");
    Cycle.run(state, NOW, Long.MAX_VALUE);
    Promise promise = state.promises().get(0);
    assertEquals(NOW.toEpochMilli() + 200_000, promise.fromMs());
    assertEquals(
        List.of("a1", "a2", "b3"), promise.shares().stream().map(NodeShare::getNode).toList());
  }

  @Test
  void aPromiseIsNotKeptOnANodeThatLacksAPropertyOfAChunk() {
    run(1, "select=6:ncpus=4,place=scatter,walltime=100");
    String two = "select=1:ncpus=2:rack=r1+1:ncpus=2:rack=west,place=scatter,walltime=60";
    assertEquals(List.of(), run(2, two));
    List<NodeShare> before = state.promises().get(0).shares();
    assertEquals(List.of("a1", "b1"), before.stream().map(NodeShare::getNode).toList());
    node("b1", "r2");
    node("b2", "west");
    Cycle.run(state, NOW, Long.MAX_VALUE);
    List<NodeShare> after = state.promises().get(0).shares();
    assertEquals(List.of("a1", "b2"), after.stream().map(NodeShare::getNode).toList());
  }

  @Test
  void aPropertyOfTorquesFormIsABooleanResource() {
    state.facts().written(Records.fast());
    state
        .facts()
        .written(Records.object(ObjectKind.NODE, "b2", "resources_available.fast", "True"));
    assertEquals(List.of("b2"), run(1, "nodes=1:ppn=2:fast"));
    assertEquals(List.of(), run(2, "nodes=2:fast"));
    assertEquals(ReasonCode.PLACE_NEVER.name(), state.reasons().take(1).reasons().get(0).getCode());
  }

  private void node(String name, String rack) {
    state.facts().written(Records.object(ObjectKind.NODE, name, "resources_available.rack", rack));
    state.facts().node(Records.node(name, "h" + name, 4, 1L << 30));
  }

  private void submit(long number, String request) {
    state.facts().job(Records.job(number, "q", 0, request));
  }

  /** Names of the nodes that a job gets. */
  private List<String> run(long number, String request) {
    submit(number, request);
    List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
    if (starts.isEmpty()) {
      return List.of();
    }
    Start start = starts.get(0);
    state.facts().granted(number, Records.allocation(start.shares()), NOW.toEpochMilli());
    return start.shares().stream().map(NodeShare::getNode).toList();
  }
}
