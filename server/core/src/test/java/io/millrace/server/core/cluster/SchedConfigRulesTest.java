package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a loaded sched_config stands at the scheduler object for those who do not read it. */
class SchedConfigRulesTest {
  private static final String DEFAULT = "default";

  private final TestShards shards = TestShards.threePartitions();

  private Reply load(String config) {
    return shards.qmgr(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        DEFAULT,
        "policy=sched_config",
        "sched_config=" + StoredPolicy.join(Map.of("sched_config", config), "Europe/Berlin"));
  }

  private String attribute(String name) {
    return Context.attribute(PartitionTable.scheduler(shards.tables(0), DEFAULT), name, "not set");
  }

  @Test
  void whetherThereAreCommentsIsTold() {
    assertEquals(0, load("update_comments: false\n").getCode());
    assertEquals("False", attribute("update_comments"));
    assertEquals(0, load("update_comments: true\n").getCode());
    assertEquals("not set", attribute("update_comments"));
    assertEquals(0, load("update_comments: false\n").getCode());
    assertEquals(
        0,
        shards
            .qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, DEFAULT, "policy=priority")
            .getCode());
    assertEquals("not set", attribute("update_comments"));
  }

  @Test
  void aWrongLineChangesNothing() {
    assertEquals(0, load("update_comments: false\n").getCode());
    Reply refusal = load("update_comments: perhaps\n");
    assertNotEquals(0, refusal.getCode());
    assertTrue(refusal.getLines().get(0).contains("sched_config:1: "), refusal.toString());
    assertEquals("False", attribute("update_comments"));
  }

  @Test
  void nobodySetsItByHand() {
    assertNotEquals(
        0,
        shards
            .qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, DEFAULT, "update_comments=False")
            .getCode());
  }

  @Test
  void whatIsComparedIsTold() {
    assertEquals(
        0, load("resources: \"ncpus, host\"\nresource_unset_infinite: \"lic\"\n").getCode());
    assertEquals("ncpus,host", attribute("resources"));
    assertEquals("lic", attribute("resource_unset_infinite"));
    assertEquals(0, load("by_queue: true\n").getCode());
    assertEquals("not set", attribute("resources"));
    assertEquals("not set", attribute("resource_unset_infinite"));
  }

  private Reply start(String resource, long amount) {
    Map<String, Long> amounts = Map.of("ncpus", 1L, resource, amount);
    return start(new Chunk(1, amounts, Map.of()));
  }

  private Reply start(Chunk chunk) {
    String job = shards.submit(Calls.job("ann", "workq", Calls.request("", chunk)));
    return shards.ask(
        0,
        Calls.run(
            shards.engine(DEFAULT),
            DEFAULT,
            shards.epoch(DEFAULT),
            job,
            new NodeShare("n0", "", 1, chunk.getAmounts())));
  }

  @Test
  void aBooleanIsHeldAgainstTheNodeAlsoWhereItIsNotListed() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "big", "type=boolean", "flag=h");
    Chunk chunk = new Chunk(1, Map.of("ncpus", 1L), Map.of("big", "True"));
    assertEquals(0, load("resources: \"ncpus\"\n").getCode());
    assertEquals(PbsError.NO_ROOM.code(), start(chunk).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.big=True");
    assertEquals(0, start(chunk).getCode());
  }

  @Test
  void aNodeThatShowsNothingTakesWhoAsksForAPropertyOfUnsetInfinite() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "rack", "type=string", "flag=h");
    Chunk chunk = new Chunk(1, Map.of("ncpus", 1L), Map.of("rack", "r9"));
    assertEquals(PbsError.NO_ROOM.code(), start(chunk).getCode());
    assertEquals(0, load("resource_unset_infinite: \"rack\"\n").getCode());
    assertEquals(0, start(chunk).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.rack=r1");
    assertEquals(PbsError.NO_ROOM.code(), start(chunk).getCode(), "it says something now");
  }

  /** The node has four processors, and says nothing of memory or licences. */
  @Test
  void aStartIsHeldAgainstWhatIsCompared() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "lic", "type=long", "flag=nh");
    assertEquals(PbsError.NO_ROOM.code(), start("mem", 1L << 60).getCode());
    assertEquals(PbsError.NO_ROOM.code(), start("lic", 2).getCode());
    assertEquals(0, load("resources: \"ncpus\"\n").getCode());
    assertEquals(0, start("mem", 1L << 60).getCode());
    assertEquals(0, load("resource_unset_infinite: \"lic\"\n").getCode());
    assertEquals(0, start("lic", 2).getCode());
    assertEquals(PbsError.NO_ROOM.code(), start("mem", 1L << 60).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.lic=3");
    assertEquals(PbsError.NO_ROOM.code(), start("lic", 2).getCode(), "it says something now");
    assertEquals(0, load("resources: \"mem\"\n").getCode());
    for (int i = 0; i < 4; i++) {
      assertEquals(0, start("lic", 2).getCode(), "neither processors nor licences are listed");
    }
  }

  private int qrun(Chunk chunk, String... nodes) {
    String job = shards.submit(Calls.job("ann", "workq", Calls.request("", chunk)));
    return shards.ask(0, new RunNow(shards.operator(), job, List.of(nodes))).getCode();
  }

  @Test
  void soIsAStartByHand() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "lic", "type=long", "flag=nh");
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "rack", "type=string", "flag=h");
    int insufficient = PbsError.INSUFFICIENT.code();
    Chunk lic = new Chunk(1, Map.of("ncpus", 1L, "lic", 2L), Map.of("rack", "r9"));
    assertEquals(insufficient, qrun(lic));
    assertEquals(0, load("resources: \"ncpus\"\n").getCode());
    assertEquals(0, qrun(lic));
    assertEquals(0, qrun(lic, "n0"));
    assertEquals(0, load("resource_unset_infinite: \"lic, rack\"\n").getCode());
    assertEquals(0, qrun(lic));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.lic=5");
    assertEquals(insufficient, qrun(lic), "it says something now");
  }
}
