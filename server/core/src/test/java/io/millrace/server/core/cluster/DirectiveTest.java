package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What qmgr directives write, and how wrong ones are refused. */
class DirectiveTest {
  private static final ChangeOperation CREATE = ChangeOperation.CREATE;
  private static final ChangeOperation DELETE = ChangeOperation.DELETE;
  private static final ChangeOperation SET = ChangeOperation.SET;
  private static final ChangeOperation UNSET = ChangeOperation.UNSET;
  private static final ObjectKind SERVER = ObjectKind.SERVER;
  private static final ObjectKind QUEUE = ObjectKind.QUEUE;
  private static final ObjectKind NODE = ObjectKind.NODE;
  private static final ObjectKind SCHED = ObjectKind.SCHEDULER;
  private static final ObjectKind RESOURCE = ObjectKind.RESOURCE;
  private final TestShards shards = TestShards.initialised();

  private void refused(
      String answer, ChangeOperation how, ObjectKind kind, String name, String... pairs) {
    Reply reply = shards.qmgr(how, kind, name, pairs);
    assertEquals(answer, reply.getCode() + " " + String.join("", reply.getLines()));
  }

  private String get(ObjectKind kind, String name, String attribute) {
    String first = null;
    for (int i = 0; i < TestShards.COUNT; i++) {
      ClusterObject object = shards.tables(i).objects().get(Keys.object(kind, name));
      String value = Context.attribute(object, attribute, null);
      assertTrue(i == 0 || Objects.equals(first, value), "shard " + i + " has " + value);
      first = value;
    }
    return first;
  }

  private boolean exists(ObjectKind kind, String name) {
    return shards.tables(3).objects().get(Keys.object(kind, name)) != null;
  }

  @Test
  void aClusterBeginsAsAFreshPbs() {
    assertEquals("mill", get(SERVER, "server", "server_host"));
    assertEquals("root", get(SERVER, "server", "managers"));
    assertEquals("workq", get(SERVER, "server", "default_queue"));
    assertEquals("True", get(QUEUE, "workq", "enabled"));
    assertEquals("True", get(SCHED, "default", "scheduling"));
    int facts = shards.facts(ObjectWritten.class).size();
    shards.initialise();
    assertEquals(facts, shards.facts(ObjectWritten.class).size(), "only once");
  }

  @Test
  void everyShardHasAppliedAChangeBeforeItIsAnswered() {
    shards.silence(3, true);
    ChangeObject command = Calls.change(shards.manager(), CREATE, QUEUE, "q");
    assertNull(shards.ask(0, command));
    shards.silence(3, false);
    shards.run();
    assertEquals(0, shards.answer(command.getMeta()).getCode());
    assertTrue(exists(QUEUE, "q"));
  }

  @Test
  void queues() {
    refused("15030 Cannot enable queue, incomplete definition", CREATE, QUEUE, "q", "enabled=t");
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
  void whatThereIsForAllJobsOfAQueueIsAnAmountOfWhatTheyUseUp() {
    shards.must(SET, QUEUE, "workq", "resources_available.mem=2048mb");
    assertEquals("2gb", get(QUEUE, "workq", "resources_available.mem"));
    shards.must(SET, SERVER, "", "resources_available.ncpus=0");
    for (String wrong : List.of("arch=linux", "walltime=60", "ncpus=-1", "mem=lots")) {
      String name = "resources_available." + wrong.substring(0, wrong.indexOf('='));
      refused(
          "15014 Illegal attribute or resource value " + name,
          SET,
          QUEUE,
          "workq",
          "resources_available." + wrong);
    }
    refused(
        "15035 Unknown resource resources_available.foo",
        SET,
        SERVER,
        "",
        "resources_available.foo=1");
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

  @Test
  void aTextGrowsAndLosesItsTail() {
    shards.must(CREATE, NODE, "n", "comment=fan");
    shards.must(SET, NODE, "n", "comment+= broken");
    assertEquals("fan broken", get(NODE, "n", "comment"));
    shards.must(SET, NODE, "n", "comment-= broken");
    assertEquals("fan", get(NODE, "n", "comment"));
    shards.must(SET, NODE, "n", "comment-=of");
    assertEquals("fan", get(NODE, "n", "comment"));
  }

  @Test
  void whatTheServerSharesWithItsSchedulerIsUnsetInBoth() {
    shards.must(SET, SERVER, "server", "scheduler_iteration=500");
    assertEquals("500", get(SCHED, "default", "scheduler_iteration"));
    shards.must(UNSET, SERVER, "server", "scheduler_iteration");
    assertEquals("600", get(SCHED, "default", "scheduler_iteration"));
    assertEquals("600", get(SERVER, "server", "scheduler_iteration"));
  }

  @Test
  void aSchedulersHostIsTheServersOrThatOfAnEngineOfItsOwn() {
    shards.must(CREATE, SCHED, "s1", "sched_host=mill");
    assertEquals("mill", get(SCHED, "s1", "sched_host"));
    refused(
        "15014 Illegal attribute or resource value sched_host",
        SET,
        SCHED,
        "s1",
        "sched_host=elsewhere");
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
  void schedulers() {
    refused("15211 Scheduler already exists", CREATE, SCHED, "default");
    refused("15212 Scheduler name is too long", CREATE, SCHED, "a234567890123456");
    refused("15213 Unknown Scheduler", SET, SCHED, "no", "scheduling=t");
    refused("15214 Can not delete Scheduler", DELETE, SCHED, "default");
    refused(
        "15223 Operation is not permitted on default scheduler",
        SET,
        SCHED,
        "default",
        "partition=p");
    shards.must(CREATE, SCHED, "a23456789012345");
    shards.must(CREATE, SCHED, "s");
    refused("15014 Illegal attribute or resource value", SET, SCHED, "s", "scheduler_iteration=-1");
    assertEquals("False", get(SCHED, "s", "scheduling"));
    shards.must(SET, SCHED, "s", "scheduling=t", "scheduler_iteration=5");
    shards.must(UNSET, SCHED, "s", "scheduling", "scheduler_iteration");
    assertEquals("False", get(SCHED, "s", "scheduling"));
    assertEquals("600", get(SCHED, "s", "scheduler_iteration"));
    shards.must(DELETE, SCHED, "s");
    assertFalse(exists(SCHED, "s"));
  }

  @Test
  void theServersSchedulingIsTheDefaultSchedulers() {
    shards.must(SET, SERVER, "", "scheduling=f", "scheduler_iteration=30");
    assertEquals("False", get(SCHED, "default", "scheduling"));
    assertEquals("30", get(SCHED, "default", "scheduler_iteration"));
    shards.must(SET, SCHED, "default", "scheduling=t");
    assertEquals("True", get(SERVER, "server", "scheduling"));
  }

  @Test
  void partitions() {
    shards.must(CREATE, SCHED, "s1");
    shards.must(CREATE, SCHED, "s2");
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
    assertNotEquals(get(SCHED, "s1", "shard"), get(SCHED, "s2", "shard"));
    refused(
        "15029 Feature/function not supported: a partition comes into being by its use",
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

  @Test
  void aResourceThatIsUsedKeepsItsForm() {
    shards.must(CREATE, RESOURCE, "lic", "type=size", "flag=nh");
    for (String user : List.of("queue workq resources_max", "server default_chunk", "node n")) {
      String[] words = user.split(" ");
      ObjectKind kind = ObjectKind.valueOf(words[0].toUpperCase(Locale.ROOT));
      String name = kind == SERVER ? "" : words[1];
      String attribute = words[words.length - 1] + ".lic";
      if (kind == NODE) {
        attribute = "resources_available.lic";
        shards.must(CREATE, NODE, name);
      }
      shards.must(SET, kind, name, attribute + "=4gb");
      String busy = "15174 Resource busy on " + words[0];
      refused(busy, SET, RESOURCE, "lic", "type=long");
      refused(busy, SET, RESOURCE, "lic", "flag=h");
      refused(busy, UNSET, RESOURCE, "lic", "flag");
      shards.must(SET, RESOURCE, "lic", "type=size", "flag=nh");
      if (kind == QUEUE) {
        shards.submit(Calls.job("ann", "workq", 1));
      }
      shards.must(UNSET, kind, name, attribute);
    }
    NewJob job = Calls.job("ann", "workq", 1);
    job.getSpec().setRequest(Calls.request("", new Chunk(1, Map.of("lic", 5L), Map.of())));
    shards.submit(job);
    refused("15174 Resource busy on job", SET, RESOURCE, "lic", "type=long");
    refused("15174 Resource busy on job", DELETE, RESOURCE, "lic");
    assertEquals("size", get(RESOURCE, "lic", "type"));
    shards.must(CREATE, RESOURCE, "free", "type=size");
    shards.must(SET, RESOURCE, "free", "type=long", "flag=q");
    shards.must(DELETE, RESOURCE, "free");
  }

  @Test
  void theServerIsNeitherMadeNorDeleted() {
    refused("15004 Invalid request", CREATE, SERVER, "other");
    refused("15004 Invalid request", DELETE, SERVER, "");
  }

  @Test
  void resources() {
    refused("15055 Duplicate entry in list ", CREATE, RESOURCE, "ncpus");
    refused("15004 Invalid request", DELETE, RESOURCE, "ncpus");
    refused("15004 Invalid request", SET, RESOURCE, "ncpus", "type=long");
    refused("15004 Invalid request", UNSET, RESOURCE, "ncpus", "flag");
    shards.must(CREATE, RESOURCE, "lic", "type=long", "flag=nh");
    refused("15055 Duplicate entry in list ", CREATE, RESOURCE, "lic", "type=long");
    shards.must(CREATE, RESOURCE, "word");
    assertEquals("string", get(RESOURCE, "word", "type"));
    shards.must(CREATE, NODE, "n", "resources_available.lic=3");
    assertEquals("3", get(NODE, "n", "resources_available.lic"));
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on node n",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, NODE, "n", "resources_available.lic");
    shards.must(SET, QUEUE, "workq", "max_run_res.lic=[o:PBS_ALL=4]");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on queue workq",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, QUEUE, "workq", "max_run_res.lic");
    shards.must(SET, SCHED, "default", "node_sort_key=ncpus HIGH, lic LOW unused");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on scheduler default",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, SCHED, "default", "node_sort_key");
    shards.must(SET, SCHED, "default", "job_sort_key=ncpus high, lic LOW");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on scheduler default",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, SCHED, "default", "job_sort_key");
    shards.must(SET, SCHED, "default", "job_sort_key=job_priority HIGH, walltime LOW");
    refused("15035 Unknown resource cput", SET, SCHED, "default", "job_sort_key=cput HIGH");
    refused(
        "15014 Illegal attribute or resource value", SET, SCHED, "default", "job_sort_key=ncpus");
    refused(
        "15014 Illegal attribute or resource value: fair_share_perc in job_sort_key: there is no"
            + " fair share here",
        SET,
        SCHED,
        "default",
        "job_sort_key=fair_share_perc HIGH");
    shards.must(
        SET,
        SCHED,
        "default",
        "job_sort_key=queue_priority HIGH, queue_turn LOW, queue_order LOW, submit_time LOW,"
            + " nodect HIGH, euser=ann:bob HIGH, egroup=staff LOW, submit_host=a.org HIGH");
    for (String key : List.of("euser HIGH", "euser= HIGH", "euser=a::b HIGH", "nodect=a HIGH")) {
      refused(
          "15014 Illegal attribute or resource value",
          SET,
          SCHED,
          "default",
          "job_sort_key=" + key);
    }
    shards.must(SET, SCHED, "default", "node_sort_key=name LOW, loadave LOW, idle_time HIGH");
    refused(
        "15014 Illegal attribute or resource value",
        SET,
        SCHED,
        "default",
        "node_sort_key=loadave LOW unused");
    shards.must(SET, SCHED, "default", "by_queue=true");
    shards.must(SET, SCHED, "default", "round_robin=false");
    shards.must(DELETE, RESOURCE, "lic");
    refused("15035 Unknown resource", DELETE, RESOURCE, "lic");
    refused("15014 Illegal attribute or resource value", CREATE, RESOURCE, "x", "type=thing");
    for (String letter : List.of("i", "m")) {
      String flags = "flag=nh" + letter;
      Reply reply = shards.qmgr(CREATE, RESOURCE, "x", "type=long", flags);
      assertEquals(15014, reply.getCode());
      String told = String.join("", reply.getLines());
      assertTrue(told.contains(": flag " + letter + " is not offered: "), told);
    }
    shards.must(CREATE, RESOURCE, "x", "type=long", "flag=hf");
  }

  @Test
  void whatNothingHoldsHasNoDefaultsAndNoBounds() {
    shards.must(CREATE, QUEUE, "bounded", "queue_type=execution");
    shards.must(CREATE, NODE, "bounded", "Mom=bounded");
    String why = "the size of files is not bounded";
    String told = "15014 Illegal attribute or resource value: file is not offered: " + why;
    for (String name :
        List.of("resources_default", "resources_max", "resources_available", "default_chunk")) {
      refused(told, SET, SERVER, "", name + ".file=5");
      refused(told, SET, QUEUE, "bounded", name + ".file=5");
    }
    refused(told, SET, QUEUE, "bounded", "resources_min.file=5");
    refused(told, SET, NODE, "bounded", "resources_available.file=5");
    refused(told, SET, SERVER, "", "max_run_res.file=[o:PBS_ALL=5]");
    for (String other : List.of("nice", "pmem", "pvmem", "soft_walltime")) {
      String name = "resources_default." + other;
      assertEquals(15014, shards.qmgr(SET, SERVER, "", name + "=1").getCode(), other);
    }
    for (String held : List.of("walltime", "cput", "pcput")) {
      for (String name : List.of("resources_default.", "resources_max.")) {
        shards.must(SET, SERVER, "", name + held + "=5");
        shards.must(SET, QUEUE, "bounded", name + held + "=5");
      }
      shards.must(SET, QUEUE, "bounded", "resources_min." + held + "=5");
    }
  }

  @Test
  void rights() {
    CommandMeta user = shards.user("ann");
    assertEquals(15007, shards.code(0, Calls.change(user, SET, SERVER, "", "comment=x")));
    CommandMeta operator = shards.operator();
    assertEquals(0, shards.code(0, Calls.change(operator, SET, SERVER, "", "comment=x")));
    operator = shards.operator();
    Reply reply = shards.ask(0, Calls.change(operator, SET, SERVER, "", "managers=op"));
    assertEquals(15003, reply.getCode());
    operator = shards.operator();
    assertEquals(15007, shards.code(0, Calls.change(operator, CREATE, QUEUE, "q")));
    operator = shards.operator();
    assertEquals(15007, shards.code(0, Calls.change(operator, DELETE, QUEUE, "workq")));
    refused(
        "15003 Cannot set attribute, read only or insufficient permission  total_jobs",
        SET,
        SERVER,
        "",
        "total_jobs=1");
    refused("15018 Unknown queue", SET, SERVER, "", "default_queue=nowhere");
    refused("15004 Invalid request", DELETE, SERVER, "");
  }

  @Test
  void amountsAreAddedAndTakenAway() {
    shards.must(CREATE, RESOURCE, "share", "type=float", "flag=nh");
    shards.must(CREATE, NODE, "n", "resources_available.ncpus=8");
    shards.must(SET, NODE, "n", "resources_available.mem=3gb", "resources_available.share=1.5");
    summed(NODE, "n", "resources_available.ncpus", "+=2", "10");
    summed(NODE, "n", "resources_available.ncpus", "-=4", "6");
    summed(NODE, "n", "resources_available.mem", "+=512mb", "3584mb");
    summed(NODE, "n", "resources_available.mem", "-=2gb", "1536mb");
    summed(NODE, "n", "resources_available.share", "+=0.75", "2.25");
    summed(NODE, "n", "resources_available.ncpus", "-=6", "0");
    summed(NODE, "n", "resources_available.ngpus", "+=1", "1");
    refused(
        "15014 Illegal attribute or resource value resources_available.mem",
        SET,
        NODE,
        "n",
        "resources_available.mem-=2gb");
    assertEquals("1536mb", get(NODE, "n", "resources_available.mem"));
    for (String attribute : List.of("resources_max", "resources_default", "resources_min")) {
      shards.must(SET, QUEUE, "workq", attribute + ".walltime=1:00:00");
      summed(QUEUE, "workq", attribute + ".walltime", "+=90", "01:01:30");
      summed(QUEUE, "workq", attribute + ".walltime", "-=00:31:30", "00:30:00");
    }
    shards.must(SET, SERVER, "", "default_chunk.ncpus=2", "max_user_res.ncpus=4");
    summed(SERVER, "server", "default_chunk.ncpus", "+=1", "3");
    summed(SERVER, "server", "max_user_res.ncpus", "-=1", "3");
    shards.must(SET, SERVER, "", "job_history_duration=1:00:00");
    summed(SERVER, "server", "job_history_duration", "+=30:00", "01:30:00");
    summed(SERVER, "server", "job_history_duration", "-=3600", "00:30:00");
    refused(
        "15014 Illegal attribute or resource value",
        SET,
        SERVER,
        "",
        "job_history_duration-=2:00:00");
  }

  @Test
  void aFormulaIsOneOfWhatIsKnown() {
    String format = "15123 Invalid Formula Format";
    refused(format, SET, SERVER, "", "job_sort_formula=ncpus < 3");
    refused(format, SET, SCHED, "default", "job_sort_formula=ncpus +");
    String word = "15124 Formula contains invalid keyword";
    refused(word, SET, SERVER, "", "job_sort_formula=ncpus*nosuch");
    refused(
        word
            + " eligible_time: the order follows from what jobs ask for, and not from what time it"
            + " is",
        SET,
        SERVER,
        "",
        "job_sort_formula=eligible_time");
    refused(
        word + " cput: of what is not on hosts only walltime, nodect and nchunk are known",
        SET,
        SERVER,
        "",
        "job_sort_formula=cput");
    refused(
        "15125 Formula contains a resource of an invalid type",
        SET,
        SERVER,
        "",
        "job_sort_formula=arch");
    shards.must(SET, SERVER, "", "job_sort_formula=5*ncpus + walltime/60");
    assertEquals("5*ncpus + walltime/60", get(SERVER, "server", "job_sort_formula"));
    refused(format, SET, SERVER, "", "job_sort_formula+=*");
  }

  @Test
  void serverAndSchedulersHaveOneFormula() {
    String differ = "15226 Server's job_sort_formula value is incompatible with sched's";
    shards.must(SET, SERVER, "", "job_sort_formula=ncpus");
    refused(differ, SET, SCHED, "default", "job_sort_formula=walltime");
    shards.must(SET, SCHED, "default", "job_sort_formula=ncpus");
    refused(differ, SET, SERVER, "", "job_sort_formula=walltime");
    shards.must(UNSET, SERVER, "", "job_sort_formula");
    shards.must(SET, SCHED, "default", "job_sort_formula=walltime");
    refused(
        "15014 Illegal attribute or resource value: job_sort_formula and its threshold say nothing"
            + " where policy is gridengine",
        SET,
        SCHED,
        "default",
        "policy=gridengine");
  }

  @Test
  void aResourceOfAFormulaStays() {
    shards.must(CREATE, RESOURCE, "weight", "type=float", "flag=h");
    shards.must(SET, SERVER, "", "job_sort_formula=weight*2");
    refused(
        "15014 Illegal attribute or resource value: resource weight is set on server server",
        DELETE,
        RESOURCE,
        "weight");
    refused("15174 Resource busy on server", SET, RESOURCE, "weight", "type=string");
    shards.must(UNSET, SERVER, "", "job_sort_formula");
    shards.must(DELETE, RESOURCE, "weight");
  }

  @Test
  void theServerEndsInTheWaysThatThereAre() {
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, SERVER, "", "terminating=quick");
    shards.must(SET, SERVER, "", "terminating=delay");
    refused(illegal, SET, SERVER, "", "terminating+=immediate");
    shards.must(UNSET, SERVER, "", "terminating");
  }

  @Test
  void lessOfNothingIsNothing() {
    for (String attribute : List.of("kill_delay", "max_array_size")) {
      shards.must(SET, QUEUE, "workq", attribute + "-=5");
      assertNull(get(QUEUE, "workq", attribute));
    }
    for (String attribute : List.of("max_array_size", "max_unheard", "job_requeue_timeout")) {
      shards.must(UNSET, SERVER, "", attribute);
      shards.must(SET, SERVER, "", attribute + "-=5");
      assertNull(get(SERVER, "server", attribute));
    }
  }

  @Test
  void aSumHasTheBoundsOfWhatSomebodyWrites() {
    shards.must(SET, SERVER, "", "job_requeue_timeout=2:00:00");
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, SERVER, "", "job_requeue_timeout+=2:00:00");
    refused(illegal, SET, SERVER, "", "job_requeue_timeout-=2:00:00");
    assertEquals("02:00:00", get(SERVER, "server", "job_requeue_timeout"));
    shards.must(SET, SERVER, "", "max_unheard=60");
    summed(SERVER, "server", "max_unheard", "-=5", "55");
    shards.must(SET, QUEUE, "workq", "kill_delay=10");
    Reply reply = shards.qmgr(SET, QUEUE, "workq", "kill_delay-=11");
    assertEquals(15014, reply.getCode());
  }

  private void summed(ObjectKind kind, String name, String attribute, String change, String now) {
    shards.must(SET, kind, name, attribute + change);
    assertEquals(now, get(kind, name, attribute), attribute + change);
  }

  @Test
  void stringsOfANodeGrowByWordsIfTheyAreSeveral() {
    shards.must(CREATE, RESOURCE, "site_tags", "type=string_array", "flag=h");
    assertEquals("string_array", get(RESOURCE, "site_tags", "type"));
    shards.must(CREATE, RESOURCE, "rack", "type=string", "flag=h");
    shards.must(CREATE, RESOURCE, "ssd", "type=boolean", "flag=h");
    shards.must(CREATE, NODE, "n", "resources_available.site_tags=a,b");
    summed(NODE, "n", "resources_available.site_tags", "+=c,a", "a,b,c");
    summed(NODE, "n", "resources_available.site_tags", "-=b", "a,c");
    shards.must(SET, NODE, "n", "resources_available.rack=r1", "resources_available.ssd=False");
    summed(NODE, "n", "resources_available.rack", "+=0", "r10");
    summed(NODE, "n", "resources_available.rack", "-=0", "r1");
    summed(NODE, "n", "resources_available.ssd", "+=True", "True");
    summed(NODE, "n", "resources_available.ssd", "-=True", "False");
  }

  @Test
  void listsGrowAndShrink() {
    shards.must(SET, SERVER, "", "operators=a@*, b@*");
    assertEquals("a@*,b@*", get(SERVER, "server", "operators"));
    shards.must(SET, SERVER, "", "operators+=c@*");
    shards.must(SET, SERVER, "", "operators-=a@*");
    assertEquals("b@*,c@*", get(SERVER, "server", "operators"));
    shards.must(SET, SERVER, "", "operators-=b@*,c@*");
    assertNull(get(SERVER, "server", "operators"));
  }

  @Test
  void limitsAreKeptInOneForm() {
    shards.must(SET, QUEUE, "workq", "max_run=[u:PBS_GENERIC=2], [g:staff=10]");
    assertEquals("[u:PBS_GENERIC=2],[g:staff=10]", get(QUEUE, "workq", "max_run"));
    shards.must(SET, QUEUE, "workq", "max_run_res.mem=[o:PBS_ALL=2048mb]");
    assertEquals("[o:PBS_ALL=2gb]", get(QUEUE, "workq", "max_run_res.mem"));
    shards.must(SET, SERVER, "server", "max_running=7");
    assertEquals("7", get(SERVER, "server", "max_running"));
    shards.must(UNSET, QUEUE, "workq", "max_run");
    assertNull(get(QUEUE, "workq", "max_run"));
  }

  @Test
  void malformedLimitsAreRefused() {
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, QUEUE, "workq", "max_run=5");
    refused(illegal, SET, QUEUE, "workq", "max_run=[u:alice=many]");
    refused(illegal, SET, SERVER, "server", "max_running=-1");
    refused(illegal + " max_run_res.mem", SET, QUEUE, "workq", "max_run_res.mem=[u:a=x]");
    refused(illegal + " max_run_res.host", SET, QUEUE, "workq", "max_run_res.host=[u:a=1]");
    refused(
        "15035 Unknown resource max_run_res.beer", SET, QUEUE, "workq", "max_run_res.beer=[u:a=1]");
    refused("15002 Undefined attribute ", SET, QUEUE, "workq", "max_run_res=[u:a=1]");
    assertNull(get(QUEUE, "workq", "max_run"));
  }
}
