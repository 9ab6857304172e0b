package io.millrace.server.core.run.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An operator has jobs run now, past their scheduler. */
class RunNowTest {
  private final TestShards shards = TestShards.threePartitions();

  RunNowTest() {
    for (String name : List.of("n1", "n2")) {
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, name);
      shards.nodeUp(name, 4);
    }
  }

  private String job(String place, Chunk... chunks) {
    return shards.submit(Calls.job("ann", "workq", Calls.request(place, chunks)));
  }

  private static Chunk chunk(int count, long ncpus) {
    return new Chunk(count, Map.of("ncpus", ncpus), Map.of());
  }

  private Reply run(String job, String... nodes) {
    return shards.ask(0, new RunNow(shards.operator(), job, List.of(nodes)));
  }

  private String where(String job) {
    return shards.job(job).getAllocation().getExecVnode();
  }

  @Test
  void aJobRunsWhereverThereIsRoomAlsoInAStoppedQueue() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=False");
    String one = job("", chunk(1, 3));
    String other = job("", chunk(2, 2));
    assertEquals(0, run(one).getCode());
    assertEquals("(n0:ncpus=3)", where(one));
    assertEquals(0, run(other).getCode());
    assertEquals("(n1:ncpus=2)+(n1:ncpus=2)", where(other));
    assertEquals(1, shards.lastStart().getRun());
    String scattered = job("scatter", chunk(2, 1));
    assertEquals(0, run(scattered).getCode());
    assertEquals("(n0:ncpus=1)+(n2:ncpus=1)", where(scattered));
  }

  @Test
  void orOnTheNodesThatAreNamedChunkByChunk() {
    String job = job("", chunk(3, 1));
    assertEquals(0, run(job, "n2", "n1").getCode());
    assertEquals("n2:ncpus=1+n1:ncpus=1+n2:ncpus=1", where(job));
    String other = job("", chunk(1, 1));
    Reply unknown = run(other, "nosuch");
    assertEquals(PbsError.UNKNOWN_NODE.code(), unknown.getCode());
    Reply across = run(other, "e0");
    assertEquals("Partition peast is not part of queue for node", across.getLines().get(0));
    assertEquals(JobStatus.QUEUED, shards.status(other));
  }

  @Test
  void noNodeGetsMoreThanItHas() {
    Reply much = run(job("", chunk(1, 64)));
    assertEquals(
        List.of("Insufficient amount of resource: ncpus (R: 64 A: 12 T: 12)"), much.getLines());
    assertTrue(run(job("", chunk(1, 5))).getLines().get(0).startsWith("Insufficient amount"));
    String full = job("", chunk(1, 4));
    assertEquals(0, run(full, "n0").getCode());
    assertEquals(
        List.of("Insufficient amount of resource: ncpus (R: 12 A: 8 T: 12)"),
        run(job("", chunk(3, 4))).getLines());
    assertEquals(
        List.of("Insufficient amount of resource: ncpus (R: 64 A: 12 T: 12)"),
        run(job("", chunk(1, 64))).getLines());
    assertEquals(PbsError.INSUFFICIENT.code(), run(job("", chunk(1, 1)), "n0").getCode());
  }

  @Test
  void eachChunkIsWhereItAsksToBe() {
    Chunk there = new Chunk(1, Map.of("ncpus", 1L), Map.of("vnode", "n2"));
    String job = job("", there, chunk(1, 1));
    assertEquals(0, run(job).getCode());
    assertEquals("(n2:ncpus=1)+(n0:ncpus=1)", where(job));
    Reply wrong = run(job("", there), "n1");
    assertEquals(PbsError.INSUFFICIENT.code(), wrong.getCode());
  }

  @Test
  void allOfThemAreTogetherWhereTheJobWantsThatAndAloneWhereItWantsThat() {
    assertEquals(0, run(job("", chunk(1, 2))).getCode());
    String packed = job("pack", chunk(2, 2));
    assertEquals(0, run(packed).getCode());
    assertEquals("(n1:ncpus=2)+(n1:ncpus=2)", where(packed));
    String alone = job("excl", chunk(1, 1));
    assertEquals(0, run(alone).getCode());
    assertEquals("(n2:ncpus=1)", where(alone));
    assertEquals(PbsError.INSUFFICIENT.code(), run(job("", chunk(1, 3))).getCode());
    String last = job("", chunk(1, 2));
    assertEquals(0, run(last).getCode());
    assertEquals("(n0:ncpus=2)", where(last));
  }

  @Test
  void allOfThemAreOnHostsOfOneClusterOrOfNone() {
    for (String name : List.of("a@c1", "b@c1")) {
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, name);
      shards.nodeUp(name, 4);
    }
    assertEquals(PbsError.INSUFFICIENT.code(), run(job("", chunk(4, 4))).getCode());
    String wide = job("", chunk(3, 4));
    assertEquals(0, run(wide).getCode());
    assertEquals("(n0:ncpus=4)+(n1:ncpus=4)+(n2:ncpus=4)", where(wide));
    String narrow = job("", chunk(1, 1));
    assertEquals(0, run(narrow).getCode());
    assertEquals("(a@c1:ncpus=1)", where(narrow));
    String both = job("scatter", chunk(2, 3));
    assertEquals(0, run(both).getCode());
    assertEquals("(a@c1:ncpus=3)+(b@c1:ncpus=3)", where(both));
  }

  @Test
  void nodesOfAnotherQueueAreTakenOnlyWhereTheyAreNamed() {
    shards.queue("wq1", "");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "queue=wq1");
    String job = job("", chunk(1, 1));
    assertEquals(0, run(job).getCode());
    assertEquals("(n1:ncpus=1)", where(job));
    assertEquals(
        List.of("Insufficient amount of resource: ncpus (R: 64 A: 8 T: 8)"),
        run(job("", chunk(1, 64))).getLines());
    String named = job("", chunk(1, 1));
    assertEquals(0, run(named, "n0").getCode());
    assertEquals("n0:ncpus=1", where(named));
    String other = shards.submit(Calls.job("ann", "wq1", Calls.request("", chunk(1, 1))));
    assertEquals(0, run(other).getCode());
    assertEquals("(n0:ncpus=1)", where(other));
  }

  @Test
  void offlineNodesAreLeftOut() {
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    String job = job("", chunk(1, 1));
    assertEquals(0, run(job).getCode());
    assertEquals("(n1:ncpus=1)", where(job));
  }

  @Test
  void itIsForOperatorsAndForJobsThatWait() {
    String job = job("", chunk(1, 1));
    assertEquals(
        PbsError.UNAUTHORIZED.code(),
        shards.code(0, new RunNow(shards.user("ann"), job, List.of())));
    assertEquals(
        PbsError.UNAUTHORIZED.code(),
        shards.code(0, new RunNow(shards.user("ann"), "999.mill", List.of())),
        "whatever there is");
    assertEquals(0, run(job).getCode());
    assertEquals(PbsError.BAD_STATE.code(), run(job).getCode());
  }

  @Test
  void aPartitionThatNobodySchedulesHasItsJobsRunOnNamedNodesOnly() {
    shards.queue("alone", "pnone");
    String job = shards.submit(Calls.job("ann", "alone", 1));
    int shard = shards.shardOfQueue("alone");
    Reply reply = shards.ask(shard, new RunNow(shards.operator(), job, List.of()));
    assertEquals("Could not contact Scheduler", reply.getLines().get(0));
  }

  @Test
  void aLineForTheOutputOfARunGoesToItsHost() {
    StartRun run = shards.running("ann");
    assertEquals(
        0, shards.code(0, new MessageJob(shards.user("ann"), run.getJobId(), "OE", "hello")));
    MessageRun order =
        (MessageRun)
            shards.dispatch().stream().filter(MessageRun.class::isInstance).findAny().get();
    assertEquals(new MessageRun(run.getJobId(), 1, 0, "n0", "OE", "hello", Calls.SPOOL), order);
    assertEquals(
        PbsError.UNAUTHORIZED.code(),
        shards.code(0, new MessageJob(shards.user("bob"), run.getJobId(), "E", "x")));
    String waiting = job("", chunk(1, 1));
    assertEquals(
        PbsError.BAD_STATE.code(),
        shards.code(0, new MessageJob(shards.user("ann"), waiting, "E", "x")));
  }
}
