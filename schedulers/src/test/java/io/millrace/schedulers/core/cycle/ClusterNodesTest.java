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
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of clusters of other systems beside others: no run has nodes of two of them. */
class ClusterNodesTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final String APART =
      "Its nodes have to be all of one cluster of another system, or all of none, and";

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);
  private final List<String> scheduler = new ArrayList<>(List.of("scheduling", "True"));
  private Instant now = NOW;
  private long next = 1;

  @BeforeEach
  void queue() {
    write(ObjectKind.SCHEDULER, "default", scheduler);
    state.facts().written(Records.queue("q"));
  }

  @Test
  void oneThatOnlyNodesOfBothWouldHoldNeverRuns() {
    nodes("a1", "a2", "m1@c1");
    assertEquals("", run("select=3:ncpus=2,walltime=60"));
    assertEquals("Can Never Run: Not enough total nodes available", comment());
    assertEquals(
        "It can never run here: its nodes have to be all of one cluster of another system, or all"
            + " of none, and none of these has room for all its 3 chunks, not even when nothing"
            + " runs.",
        why());
    assertTrue(state.promises().isEmpty());
    assertEquals("a1 a2", run("select=2:ncpus=2"), "it is in the way of nobody");
  }

  @Test
  void oneThatFitsIntoOneOfThemWaitsForIt() {
    nodes("a1", "a2", "m1@c1", "m2@c1");
    run("select=1:ncpus=2:vnode=a1,walltime=100");
    run("select=1:ncpus=2:vnode=m1@c1,walltime=200");
    assertEquals("", run("select=2:ncpus=2,walltime=60"));
    assertEquals("Not Running: Not enough free nodes available", comment());
    assertTrue(why().startsWith(APART + " none of these has room for all its 2 chunks now"), why());
    assertEquals("100 a1 a2", promised());
    now = NOW.plusSeconds(100);
    state.facts().gone(1);
    assertEquals("a1 a2", again());
  }

  @Test
  void itIsPromisedTheFirstOfThemThatWillHaveRoom() {
    nodes("a1", "a2", "m1@c1", "m2@c1");
    run("select=1:ncpus=2:vnode=a1,walltime=300");
    run("select=1:ncpus=1:vnode=a2,walltime=100");
    run("select=1:ncpus=2:vnode=m1@c1,walltime=200");
    assertEquals("", run("select=2:ncpus=2,walltime=60"));
    assertEquals("200 m1@c1 m2@c1", promised());
    // Backfilled on nodes of both it would be refused.
    assertEquals("", run("select=2:ncpus=1,walltime=600"));
    assertEquals("a2", run("select=1:ncpus=1,walltime=600"));
  }

  @Test
  void theFirstNodeMayBeOfAClusterThatHasNoRoomForAll() {
    nodes("a1@c1", "b1", "b2");
    assertEquals("b1 b2", run("select=2:ncpus=2"));
    assertEquals("a1@c1", run("select=1:ncpus=1"));
    assertEquals("a1@c1", run("select=1:ncpus=1"));
  }

  @Test
  void ofTwoThatHaveRoomTheOneWithTheFirstNodeIsTaken() {
    nodes("a1@c1", "a2", "a3@c1", "a4");
    assertEquals("a1@c1 a3@c1", run("select=2:ncpus=2"));
    assertEquals("a2 a4", run("select=2:ncpus=2"));
  }

  @Test
  void twoClustersAreTwo() {
    nodes("a1@c1", "b1@c2", "b2@c2");
    assertEquals("", run("select=3:ncpus=2"));
    assertEquals("Can Never Run: Not enough total nodes available", comment());
    assertEquals("b1@c2 b2@c2", run("select=2:ncpus=2"));
  }

  @Test
  void allArrangementsObey() {
    nodes("a1@c1", "b1", "b2", "b3");
    assertEquals("b1 b2", run("select=2:ncpus=1,place=scatter"));
    assertEquals("b1 b2", run("select=2:ncpus=1,place=vscatter"));
    assertEquals("a1@c1", run("select=2:ncpus=1,place=pack"), "one host is of one cluster");
    node("a1@c1", 4);
    node("b1", 4);
    assertEquals("b1 b3", run("select=1:ncpus=2+1:ncpus=1+1:ncpus=1"));
  }

  @Test
  void anOrderThatRunsChangePutsThemInIt() {
    node("a1", 4);
    node("b1@c1", 4);
    node("b2@c1", 4);
    node("c1", 3);
    scheduler("node_sort_key", "ncpus HIGH unused");
    assertEquals("a1", run("ncpus=2"));
    assertEquals("b1@c1 b2@c1", run("select=2:ncpus=3"));
    assertEquals("c1", run("select=2:ncpus=1"));
    assertEquals("a1 c1", run("select=2:ncpus=1,place=scatter"));
    scheduler("node_sort_key", "ncpus LOW unused");
    assertEquals("b1@c1 b2@c1", run("select=2:ncpus=1,place=scatter"));
  }

  @Test
  void aSetWithNodesOfBothIsTwo() {
    state
        .facts()
        .written(Records.object(ObjectKind.RESOURCE, "switch", "type", "string", "flag", "h"));
    server("node_group_key", "switch", "node_group_enable", "True");
    onSwitch("a1", "A");
    onSwitch("m1@c1", "A");
    onSwitch("m2@c1", "A");
    onSwitch("b1", "B");
    onSwitch("b2", "B");
    onSwitch("b3", "B");
    assertEquals("m1@c1 m2@c1", run("select=2:ncpus=2"));
    assertEquals("", run("select=5:ncpus=2"), "it may span sets, not clusters");
    assertEquals("b1 b2 b3", run("select=3:ncpus=2"));
  }

  @Test
  void whatIsMixedNoLongerIsPlacedAsEver() {
    nodes("a1", "a2", "m1@c1");
    assertEquals("", run("select=3:ncpus=2"));
    state.facts().deleted(ObjectKind.NODE, "m1@c1");
    state.facts().nodeGone("m1@c1");
    nodes("a3");
    assertEquals("a1 a2 a3", again());
  }

  @Test
  void aPromiseIsNotKeptOnANodeThatHasBecomeAnotherClusters() {
    nodes("a1", "a2", "a3");
    run("select=1:ncpus=2:vnode=a1,walltime=100");
    run("select=1:ncpus=2:vnode=a3,walltime=200");
    assertEquals("", run("select=2:ncpus=2,walltime=60"));
    assertEquals("100 a1 a2", promised());
    state.facts().node(Records.node("a2", "x@c1", 2, 1L << 30));
    Cycle.run(state, now, Long.MAX_VALUE);
    assertEquals("200 a1 a3", promised());
  }

  /** Runs of both would have to end for it; those of one are enough. */
  @Test
  void runsOfOneClusterAreStopped() {
    nodes("a1", "a2", "m1@c1", "m2@c1");
    scheduler("preempt_order", "R");
    scheduler("preempt_prio", "express_queue, normal_jobs");
    scheduler("preempt_queue_prio", "150");
    scheduler("preemptive_sched", "True");
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, "urgent", "started", "True", "Priority", "200"));
    for (String name : List.of("m1@c1", "a1", "m2@c1", "a2")) {
      now = now.plusSeconds(1);
      run("select=1:ncpus=2:vnode=" + name + ",walltime=1000");
    }
    state.facts().job(Records.job(next++, "urgent", 0, "select=2:ncpus=2,walltime=60"));
    List<Preempt> stopped = Cycle.run(state, now, Long.MAX_VALUE).preempted();
    assertEquals(List.of(2L, 4L), stopped.stream().map(Preempt::jobNumber).sorted().toList());
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

  private void nodes(String... names) {
    for (String name : names) {
      node(name, 2);
    }
  }

  private void node(String name, long cpus) {
    write(ObjectKind.NODE, name, List.of());
    state.facts().node(Records.node(name, name, cpus, 1L << 30));
  }

  private void onSwitch(String name, String value) {
    write(ObjectKind.NODE, name, List.of("resources_available.switch", value));
    state.facts().node(Records.node(name, name, 2, 1L << 30));
  }

  private String run(String request) {
    state.facts().job(Records.job(next++, "q", 0, request));
    return again();
  }

  /** Names of the nodes of the job that starts; none when none does. */
  private String again() {
    List<Start> starts = Cycle.run(state, now, Long.MAX_VALUE).starts();
    for (Start start : starts) {
      state
          .facts()
          .granted(start.jobNumber(), Records.allocation(start.shares()), now.toEpochMilli());
    }
    return starts.stream().map(it -> names(it.shares())).collect(Collectors.joining(", "));
  }

  private static String names(List<NodeShare> shares) {
    return shares.stream().map(NodeShare::getNode).collect(Collectors.joining(" "));
  }

  /** Of the one promise its time, in seconds, and its nodes. */
  private String promised() {
    assertEquals(1, state.promises().size());
    Promise promise = state.promises().get(0);
    return (promise.fromMs() - NOW.toEpochMilli()) / 1000 + " " + names(promise.shares());
  }

  private ClassReason reason;

  /** What the job that waits is told. */
  private String comment() {
    reason = state.reasons().take(1).reasons().get(0);
    return ReasonText.pbsComment(reason, ResourceTable.standard());
  }

  /** The same in whole words. */
  private String why() {
    return ReasonText.words(reason, ResourceTable.standard());
  }
}
