package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Queues, nodes and partitions: made, tied to one another, deleted. */
class ObjectsDirectiveTest extends DirectiveFixture {
  @Test
  void queues() {
    shards.must(CREATE, QUEUE, "q", "queue_type=e", "enabled=1", "Priority=5");
    assertEquals("Execution", get(QUEUE, "q", "queue_type"));
    assertEquals("True", get(QUEUE, "q", "enabled"));
    shards.must(SET, QUEUE, "q", "priority+=2");
    assertEquals("7", get(QUEUE, "q", "Priority"));
    shards.must(SET, QUEUE, "q", "priority-=3");
    assertEquals("4", get(QUEUE, "q", "Priority"));
    shards.must(UNSET, QUEUE, "q", "Priority");
    assertNull(get(QUEUE, "q", "Priority"));
    refused("15025 Queue already exists", CREATE, QUEUE, "q");
    refused("15014 Illegal attribute or resource value", SET, QUEUE, "q", "Priority=x");
    refused("15002 Undefined attribute ", SET, QUEUE, "q", "colour=red");
    refused(
        "15002 Undefined attribute checkpoint_min: there is no checkpointing",
        SET,
        QUEUE,
        "q",
        "Checkpoint_Min=5");
    shards.must(SET, QUEUE, "q", "Kill_Delay=5");
    assertEquals("5", get(QUEUE, "q", "kill_delay"));
    for (String wrong : List.of("-1", "86401")) {
      refused(
          "15014 Illegal attribute or resource value: kill_delay is 0 to 86400 seconds",
          SET,
          QUEUE,
          "q",
          "kill_delay=" + wrong);
    }
    for (ObjectKind kind : List.of(QUEUE, SERVER)) {
      String name = kind == QUEUE ? "q" : "";
      String known = kind == QUEUE ? "q" : "server";
      shards.must(SET, kind, name, "max_output=2048mb");
      assertEquals("2gb", get(kind, known, "max_output"));
      shards.must(SET, kind, name, "max_output+=512mb");
      assertEquals("2560mb", get(kind, known, "max_output"));
      for (String wrong : List.of("=0", "=1023b", "-=2560mb")) {
        refused(
            "15014 Illegal attribute or resource value: max_output is 1kb or more",
            SET,
            kind,
            name,
            "max_output" + wrong);
      }
      refused("15014 Illegal attribute or resource value", SET, kind, name, "max_output=much");
      refused("15014 Illegal attribute or resource value", SET, kind, name, "max_output-=3gb");
      assertEquals("2560mb", get(kind, known, "max_output"));
      shards.must(UNSET, kind, name, "max_output");
    }
    // What comes of a subtraction has no other bounds.
    assertNotEquals(0, shards.qmgr(SET, QUEUE, "q", "kill_delay-=6").getCode());
    assertEquals("5", get(QUEUE, "q", "kill_delay"));
    refused("15018 Unknown queue", SET, QUEUE, "nowhere", "enabled=t");
    refused("15018 Unknown queue", DELETE, QUEUE, "nowhere");
    shards.must(DELETE, QUEUE, "q");
    assertFalse(exists(QUEUE, "q"));
  }

  @Test
  void aQueueWithJobsIsNotDeleted() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    refused("15027 Cannot delete busy object", DELETE, QUEUE, "workq");
    shards.submit(Calls.job("ann", "workq", 1));
    shards.ask(0, Calls.delete(shards.user("ann"), job, false));
    refused("15027 Cannot delete busy object", DELETE, QUEUE, "workq");
    shards.ask(0, Calls.delete(shards.user("ann"), "1.mill", false));
    shards.must(DELETE, QUEUE, "workq");
  }

  @Test
  void nodes() {
    shards.must(CREATE, NODE, "n", "Mom=host1", "resources_available.mem=1gb");
    assertEquals("host1", get(NODE, "n", "Mom"));
    refused("15066 Node name already exists", CREATE, NODE, "n");
    refused(
        "15003 Cannot set attribute, read only or insufficient permission  Mom",
        SET,
        NODE,
        "n",
        "Mom=host2");
    shards.must(SET, NODE, "n", "state=offline");
    assertEquals("offline", get(NODE, "n", "state"));
    shards.must(SET, NODE, "n", "state=free");
    assertNull(get(NODE, "n", "state"));
    refused(
        "15035 Unknown resource resources_available.foo",
        SET,
        NODE,
        "n",
        "resources_available.foo=1");
    refused(
        "15014 Illegal attribute or resource value resources_available.mem",
        SET,
        NODE,
        "n",
        "resources_available.mem=lots");
    refused("15062 Unknown node ", SET, NODE, "m", "state=free");
    shards.must(DELETE, NODE, "n");
    assertEquals(Map.of(), shards.node("n"));
  }

  @Test
  void aNodeWithRunsIsNeitherDeletedNorMoved() {
    TestShards three = TestShards.threePartitions();
    StartRun run = three.running("ann");
    for (int i = 0; i < 2; i++) {
      Reply deleted = three.qmgr(DELETE, NODE, "n0");
      assertEquals(15027, deleted.getCode());
      assertEquals(List.of("Cannot delete busy object"), deleted.getLines());
      assertEquals(15227, three.qmgr(SET, NODE, "n0", "partition=peast").getCode());
    }
    assertEquals(-1, three.tables(0).nodes().get("n0").getOfferedTo(), "open again");
    three.finished(run, 0);
    assertEquals(
        0, three.grant(three.submit(Calls.job("ann", "workq", 1)), "default", "n0", 1).getCode());
    three.finished(three.lastStart(), 0);
    three.must(DELETE, NODE, "n0");
    assertEquals(Map.of(), three.node("n0"));
  }

  /** As in recorded sessions: only two partitions are in each other's way. */
  @Test
  void aNodeAndItsQueueAreOfOnePartition() {
    shards.must(CREATE, QUEUE, "q", "queue_type=e", "partition=P1");
    shards.must(CREATE, NODE, "n");
    shards.must(SET, NODE, "n", "queue=q");
    refused("15219 Queue q is not part of partition for node", SET, NODE, "n", "partition=P2");
    shards.must(SET, NODE, "n", "partition=P1");
    refused("15221 Invalid partition in queue", SET, QUEUE, "q", "partition=P2");
    shards.must(UNSET, QUEUE, "q", "partition");
    shards.must(UNSET, NODE, "n", "queue");
    shards.must(SET, NODE, "n", "queue=workq");
    assertEquals("P1", get(NODE, "n", "partition"));
  }

  /** Lists are in the order in which the objects were made; a change moves none. */
  @Test
  void anObjectKeepsTheNumberOfTheChangeThatMadeIt() {
    shards.must(CREATE, QUEUE, "z", "queue_type=e");
    shards.must(CREATE, QUEUE, "a", "queue_type=e");
    shards.must(SET, QUEUE, "z", "Priority=1");
    assertTrue(created("z") < created("a"));
    assertTrue(created("workq") < created("z"));
  }

  private long created(String queue) {
    return shards.tables(0).objects().get(Keys.object(QUEUE, queue)).getCreated();
  }

  @Test
  void partitions() {
    shards.must(CREATE, SCHED, "s1");
    shards.must(CREATE, SCHED, "s2");
    assertNotEquals(get(SCHED, "s1", "shard"), get(SCHED, "s2", "shard"));
    shards.must(SET, SCHED, "s1", "partition=p1,p2");
    refused(
        "15224 Partition is already associated with other scheduler",
        SET,
        SCHED,
        "s2",
        "partition=p2");
    refused(
        "15228 Default partition name is not allowed", SET, SCHED, "s2", "partition=pbs-default");
    refused(
        "15228 Default partition name is not allowed",
        SET,
        QUEUE,
        "workq",
        "partition=pbs-default");
    refused(
        "15228 Default partition name is not allowed", CREATE, NODE, "n", "partition=pbs-default");
    assertEquals(get(SCHED, "s1", "shard"), get(ObjectKind.PARTITION, "p2", "shard"));
    shards.must(SET, SCHED, "s1", "partition-=p2");
    assertNull(get(ObjectKind.PARTITION, "p2", "scheduler"));
    shards.must(SET, SCHED, "s2", "partition+=p2");
    assertEquals("s2", get(ObjectKind.PARTITION, "p2", "scheduler"));
    assertEquals(get(SCHED, "s2", "shard"), get(ObjectKind.PARTITION, "p2", "shard"));
    assertEquals(get(SCHED, "s1", "shard"), get(SCHED, "s2", "shard"), "the partition's");
    refused(
        "15029 No support for requested service: a partition comes into being by its use",
        CREATE,
        ObjectKind.PARTITION,
        "p3");
  }

  @Test
  void aNodeOfAQueueIsInTheQueuesPartition() {
    shards.queue("q", "p1");
    refused(
        "15220 Partition p2 is not part of queue for node",
        CREATE,
        NODE,
        "n",
        "queue=q",
        "partition=p2");
    shards.must(CREATE, NODE, "n", "partition=p1", "queue=q");
    refused("15219 Queue q is not part of partition for node", SET, NODE, "n", "partition=p2");
    refused("15221 Invalid partition in queue", SET, QUEUE, "q", "partition=p2");
    refused("15018 Unknown queue", CREATE, NODE, "m", "queue=nowhere");
    refused("15027 Cannot delete busy object", DELETE, QUEUE, "q");
    shards.must(UNSET, NODE, "n", "queue");
    shards.must(SET, QUEUE, "q", "partition=p2");
    shards.must(DELETE, QUEUE, "q");
  }

  @Test
  void aQueueIsCompleteBeforeItTakesJobs() {
    String incomplete = "15030 Cannot enable queue, incomplete definition";
    refused(incomplete, CREATE, QUEUE, "q", "enabled=t");
    refused(incomplete, CREATE, QUEUE, "q", "queue_type=route", "enabled=t");
    shards.must(CREATE, QUEUE, "q", "queue_type=e");
    refused("15137 Queue type must be set", UNSET, QUEUE, "q", "queue_type");
    shards.must(SET, QUEUE, "q", "enabled=t");
  }

  /** Of two limits in different forms nobody could tell which one counts. */
  @Test
  void limitsAreAllInOneForm() {
    String mixed = "15141 Cannot mix old and new style queue/run limit enforcement types";
    shards.must(CREATE, QUEUE, "q", "queue_type=e", "max_queuable=5");
    refused(mixed, SET, SERVER, "server", "max_run=[u:PBS_GENERIC=2]");
    refused(mixed, SET, QUEUE, "workq", "max_queued_res.ncpus=[o:PBS_ALL=2]");
    refused(mixed, SET, QUEUE, "q", "max_run=[u:PBS_GENERIC=2]");
    shards.must(SET, SERVER, "server", "max_user_res.ncpus=4");
    shards.must(UNSET, SERVER, "server", "max_user_res.ncpus");
    shards.must(UNSET, QUEUE, "q", "max_queuable");
    shards.must(SET, SERVER, "server", "max_queued=[o:PBS_ALL=100]");
    shards.must(SET, QUEUE, "q", "max_running=3");
    refused(mixed, SET, SERVER, "server", "max_queued=[o:PBS_ALL=90]");
    refused(mixed, SET, SERVER, "server", "max_queued_res.ncpus=[o:PBS_ALL=90]");
    shards.must(UNSET, QUEUE, "q", "max_running");
    shards.must(SET, QUEUE, "q", "max_run_soft=[u:PBS_GENERIC=2]");
    refused(mixed, SET, SERVER, "server", "max_group_res_soft.ncpus=4");
    refused(mixed, CREATE, QUEUE, "p", "Max_Running=3");
    refused(mixed, CREATE, QUEUE, "p", "max_run_res.ncpus=[o:PBS_ALL=2]", "max_user_run=1");
    shards.must(SET, QUEUE, "q", "Priority=3");
  }

  @Test
  void aNodeIsOfNoRoutingQueue() {
    shards.must(CREATE, QUEUE, "r", "queue_type=route");
    refused("15026 Incompatible type", CREATE, NODE, "n", "queue=r");
  }

  @Test
  void aQueueHasAComment() {
    shards.must(SET, QUEUE, "workq", "comment=closed on Sunday");
    assertEquals("closed on Sunday", get(QUEUE, "workq", "comment"));
    String refused = "15002 Undefined attribute vnode_pool: each node is of one host, its Mom";
    shards.must(CREATE, NODE, "n");
    refused(refused, SET, NODE, "n", "vnode_pool=1");
  }
}
