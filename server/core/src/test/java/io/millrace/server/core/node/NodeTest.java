package io.millrace.server.core.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes come up before and after their objects, on hosts with nodes in several shards. */
class NodeTest {
  private final TestShards shards = TestShards.initialised();

  private List<AskHost> questions() {
    return shards.dispatch().stream()
        .filter(AskHost.class::isInstance)
        .map(AskHost.class::cast)
        .toList();
  }

  @Test
  void aHostThatNobodyNamedIsAskedAgainWhenItsNodeIsMade() {
    shards.nodeUp("n1", 4);
    assertEquals(0, shards.facts(NodeCameUp.class).size());
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    assertEquals(List.of(new AskHost("n1", 0)), questions());
    assertFalse(shards.tables(0).nodes().get("n1").getUp());
    shards.nodeUp("n1", 4);
    Node node = shards.tables(0).nodes().get("n1");
    assertTrue(node.getUp());
    assertEquals("boot-1", node.getBootId());
    assertEquals(4L, node.getMeasured().get("ncpus"));
  }

  @Test
  void aNodeWithItsPartitionNewIsMadeAndAskedForInOneShard() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "x", "partition=px", "Mom=hx");
    Map<Integer, Node> places = shards.node("x");
    assertEquals(1, places.size());
    int shard = places.keySet().iterator().next();
    assertNotEquals(0, shard);
    assertEquals(List.of(new AskHost("hx", shard)), questions());
    assertEquals("hx", places.get(shard).getHost());
  }

  @Test
  void anAnnouncementReachesAllNodesOfTheHostWhereverTheyAre() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "a", "Mom=big");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "b", "Mom=big", "partition=p1");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "c", "Mom=big", "partition=p2");
    assertEquals(
        3,
        Set.of(shards.node("a").keySet(), shards.node("b").keySet(), shards.node("c").keySet())
            .size());
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      int before = shards.facts(NodeCameUp.class).size();
      shards.send(shard, Calls.nodeUp(shards.executor("big"), "big", 4));
      shards.run();
      assertEquals(before + 3, shards.facts(NodeCameUp.class).size(), "through shard " + shard);
    }
  }

  private Map<String, Long> measured(String node) {
    return shards.node(node).values().iterator().next().getMeasured();
  }

  @Test
  void aHostOfSeveralNodesCountsOnceInWhicheverShardTheyAre() {
    Map<String, Long> whole = Map.of("ncpus", 4L, "mem", 1L << 30);
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "z", "Mom=big");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "a", "Mom=big", "partition=p1");
    shards.nodeUp("big", 4);
    assertEquals(whole, measured("z"), "made first");
    assertEquals(Map.of(), measured("a"));
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "big", "partition=p2");
    shards.nodeUp("big", 4);
    assertEquals(whole, measured("big"), "called like its host");
    assertEquals(Map.of(), measured("z"));
    ReportNodeUp report = Calls.nodeUp(shards.executor("big"), "big", 4);
    report.setMeasured(Map.of("ncpus", 4L, "load.num_proc", 4L));
    shards.send(0, report);
    shards.run();
    assertEquals(Map.of("load.num_proc", 4L), measured("a"), "load is that of the host");
    shards.nodeUp("big", 4);
    assertEquals(Map.of("load.num_proc", 4L), measured("a"), "until it is reported again");
    assertEquals(4L, measured("big").get("ncpus"));
  }

  @Test
  void whoeverHasNodesOfAHostAsksItAnewWhenOneOfThemComesOrGoes() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "z", "Mom=big");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "a", "Mom=big", "partition=p1");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "elsewhere");
    int first = shards.node("z").keySet().iterator().next();
    int second = shards.node("a").keySet().iterator().next();
    shards.nodeUp("big", 4);
    int before = questions().size();
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "big", "partition=p2");
    int third = shards.node("big").keySet().iterator().next();
    assertEquals(Set.of(first, second, third), askedSince(before));
    shards.nodeUp("big", 4);
    before = questions().size();
    shards.must(ChangeOperation.DELETE, ObjectKind.NODE, "big");
    assertEquals(Set.of(first, second), askedSince(before));
    shards.nodeUp("big", 4);
    assertEquals(4L, measured("z").get("ncpus"), "the first one again");
  }

  /** Shards that asked the host after the first so many questions. */
  private Set<Integer> askedSince(int questions) {
    List<AskHost> since = questions().subList(questions, questions().size());
    assertTrue(since.stream().allMatch(it -> it.getHost().equals("big")), since.toString());
    return since.stream().map(AskHost::getShard).collect(Collectors.toSet());
  }

  @Test
  void anAnnouncementDoesNotMakeASecondRecordOfANodeThatIsBusyElsewhere() {
    TestShards three = TestShards.threePartitions();
    StartRun run = three.running("ann");
    three.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    // The default partition stays; n0 is busy in shard 0 and may not move at all.
    assertEquals(
        15227, three.qmgr(ChangeOperation.SET, ObjectKind.NODE, "n0", "partition=peast").getCode());
    three.nodeUp("n0", 4);
    assertEquals(Set.of(0), three.node("n0").keySet());
    three.finished(run, 0);
    three.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "partition=peast");
    assertEquals(Set.of(three.shardOfQueue("east")), three.node("n0").keySet());
  }

  @Test
  void aReportOfLoadIsNewsOfTheNodeAndNoReasonToAskAfterItsRuns() {
    TestShards three = TestShards.threePartitions();
    three.running("ann");
    three.nodeUp("n0", 4);
    int asked = questionsAfterRuns(three);
    Map<String, Long> loaded =
        Map.of("ncpus", 4L, "mem", 1L << 30, "load.load_medium", 1_500_000L, "load.num_proc", 4L);
    ReportNodeUp report = Calls.nodeUp(three.executor("n0"), "n0", 4);
    report.setMeasured(loaded);
    three.send(0, report);
    three.run();
    assertEquals(loaded, three.node("n0").get(0).getMeasured());
    assertEquals(asked, questionsAfterRuns(three));
    three.nodeUp("n0", 4);
    assertEquals(loaded, three.node("n0").get(0).getMeasured(), "until the next report");
    assertTrue(questionsAfterRuns(three) > asked, "an announcement does ask");
  }

  private static int questionsAfterRuns(TestShards shards) {
    return (int) shards.dispatch().stream().filter(AskRuns.class::isInstance).count();
  }
}
