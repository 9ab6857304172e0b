package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeOrderTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state =
      new SchedulerState("default", 0, io.millrace.schedulers.core.policy.Policies.STANDARD, 100);
  private long next = 1;

  @BeforeEach
  void cluster() {
    order("");
    state.facts().written(Records.queue("q"));
    node("a", 8, "1");
    node("b", 4, "3");
    node("c", 16, "-2");
  }

  @Test
  void byName() {
    assertEquals("a1", run("ncpus=1"));
    assertEquals("a1", run("ncpus=1"));
  }

  @Test
  void byPriority() {
    order("sort_priority HIGH");
    assertEquals("b4 a2", run("select=6:ncpus=1"));
    order("sort_priority LOW");
    assertEquals("c6", run("select=6:ncpus=1"));
  }

  @Test
  void byTotal() {
    order("ncpus HIGH");
    assertEquals("c1", run("ncpus=1"));
    order("ncpus LOW total");
    assertEquals("b1", run("ncpus=1"));
    assertEquals("b1 a1 c1", run("select=3:ncpus=1,place=scatter"));
  }

  @Test
  void packedOnTheFullest() {
    order("ncpus LOW unused");
    assertEquals("b1", run("ncpus=1"));
    assertEquals("a6", run("ncpus=6"));
    assertEquals("a1", run("ncpus=1"));
    assertEquals("a1 b1", run("select=2:ncpus=1,place=scatter"));
    assertEquals("b2", run("select=2:ncpus=1,place=pack"));
  }

  @Test
  void spreadOverTheEmptiest() {
    order("ncpus HIGH unused");
    assertEquals("c10", run("ncpus=10"));
    assertEquals("a3", run("ncpus=3"));
    assertEquals("c1", run("ncpus=1"));
    assertEquals("a3", run("select=1:ncpus=2+1:ncpus=1"));
  }

  @Test
  void equalOnesByTheNextKey() {
    order("mem HIGH, ncpus LOW assigned, sort_priority HIGH");
    assertEquals("b1", run("ncpus=1"));
    assertEquals("a1", run("ncpus=1"));
    assertEquals("c1", run("ncpus=1"));
    assertEquals("b1", run("ncpus=1"));
  }

  @Test
  void byNameFromTheLastOne() {
    order("name HIGH");
    assertEquals("c1", run("ncpus=1"));
    order("mem HIGH, name LOW");
    assertEquals("a1", run("ncpus=1"));
  }

  @Test
  void byTheLoadThatIsReportedLast() {
    order("loadave LOW");
    load("a", 2_000_000);
    load("b", 1_000_000);
    load("c", 1_500_000);
    assertEquals("b1", run("ncpus=1"));
    load("b", 3_000_000);
    assertEquals("c1", run("ncpus=1"));
    // A report without a load changes nothing.
    state.facts().nodeUp("c", "hc", Map.of("ncpus", 16L, "mem", 1L << 30));
    assertEquals("c1", run("ncpus=1"));
  }

  @Test
  void theLoadOfARecordCounts() {
    order("loadave LOW");
    Node.Builder node = Node.newBuilder(Records.node("a", "ha", 8, 1L << 30));
    state.facts().node(node.setMeasured(Map.of("ncpus", 8L, "load.load_medium", 5L)).build());
    assertEquals("b1", run("ncpus=1"));
  }

  /** Nodes of a cluster outside, where others run, too. */
  @Test
  void whatOthersHoldOutsideIsNotFree() {
    Map<String, Long> full = Map.of("ncpus", 8L, "mem", 1L << 30, "load.held.ncpus", 7L);
    state.facts().nodeUp("a", "ha", full);
    Node.Builder node = Node.newBuilder(Records.node("b", "hb", 4, 1L << 30));
    Map<String, Long> half = Map.of("ncpus", 4L, "mem", 1L << 30, "load.held.ncpus", 3L);
    state.facts().node(node.setMeasured(half).build());
    assertEquals("c2", run("ncpus=2"));
    assertEquals("a1", run("ncpus=1"));
    state.facts().nodeUp("a", "ha", Map.of("ncpus", 8L, "mem", 1L << 30, "load.held.ncpus", 0L));
    assertEquals("a2", run("ncpus=2"));
  }

  @Test
  void longestIdleFirst() {
    order("idle_time HIGH");
    assertEquals("a1", run("ncpus=1"));
    assertEquals("b1", run("ncpus=1"));
    state.facts().gone(1);
    assertEquals("c1", run("ncpus=1"));
    assertEquals("a1", run("ncpus=1"));
    state.facts().gone(2);
    state.facts().requeued(3);
    state.facts().gone(3);
    state.facts().gone(4);
    assertEquals("b1", run("select=1:ncpus=1"));
    assertEquals("c1", run("select=1:ncpus=1"));
  }

  @Test
  void byTheLastEndOfARun() {
    order("last_used_time LOW");
    assertEquals("a1", run("ncpus=1"));
    assertEquals("a1", run("ncpus=1"));
    state.facts().gone(1);
    assertEquals("b1", run("ncpus=1"), "what runs on a node is no use that has ended");
    state.facts().gone(3);
    assertEquals("c1", run("ncpus=1"));
    assertEquals("c1", run("ncpus=1"));
    state.facts().gone(4);
    assertEquals("a1", run("ncpus=1"));
    order("last_used_time HIGH");
    assertEquals("c1", run("ncpus=1"));
  }

  @Test
  void timesInRecordsCountBeforeEndsThatAreHeard() {
    order("idle_time HIGH");
    for (String name : List.of("a", "b", "c")) {
      Node.Builder node = Node.newBuilder(Records.node(name, "h" + name, 8, 1L << 30));
      long used = name.equals("a") ? 3_000 : name.equals("b") ? 1_000 : 2_000;
      state.facts().node(node.setLastUsedMs(used).build());
    }
    assertEquals("b1", run("ncpus=1"));
    state.facts().gone(1);
    assertEquals("c1", run("ncpus=1"));
    assertEquals("a1", run("ncpus=1"));
  }

  private void load(String node, long millionths) {
    state
        .facts()
        .nodeUp(
            node,
            "h" + node,
            Map.of("ncpus", 16L, "mem", 1L << 30, "load.load_medium", millionths));
  }

  @Test
  void texts() {
    assertEquals(
        Optional.of("sort_priority HIGH, ncpus LOW unused"),
        AttributeType.NODE_SORT_KEY.normalise(" sort_priority  high,ncpus low Unused"));
    for (String text :
        List.of(
            "",
            "ncpus",
            "ncpus UP",
            "ncpus HIGH used",
            "sort_priority HIGH total",
            "loadave LOW unused",
            "a b c d")) {
      assertEquals(Optional.empty(), AttributeType.NODE_SORT_KEY.normalise(text), text);
      assertEquals(
          AttributeType.NODE_SORT_KEY.normalise(text).isPresent(),
          NodeOrder.parse(text).isPresent() && !text.contains("total") && !text.contains("loadave"),
          text);
    }
  }

  private void order(String keys) {
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "node_sort_key", keys));
  }

  private void node(String name, long cpus, String priority) {
    state.facts().written(Records.object(ObjectKind.NODE, name, "Priority", priority));
    state.facts().node(Records.node(name, "h" + name, cpus, 1L << 30));
  }

  /** The nodes that a job gets, with the cpus on each. */
  private String run(String request) {
    state.facts().job(Records.job(next++, "q", 0, request));
    List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
    assertEquals(1, starts.size());
    Start start = starts.get(0);
    state
        .facts()
        .granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
    return start.shares().stream()
        .map(it -> it.getNode() + it.getAmounts().get("ncpus"))
        .collect(Collectors.joining(" "));
  }
}
