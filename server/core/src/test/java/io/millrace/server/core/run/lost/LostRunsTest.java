package io.millrace.server.core.run.lost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.NoteHostHeard;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.ArrayStates;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Nodes that are not heard of any more, their runs, and their return. */
class LostRunsTest {
  private static final long LONG_MS = 3_600_000;

  private final TestShards shards = TestShards.threePartitions();

  private CommandMeta owner() {
    return shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
  }

  private void silent(String executor) {
    shards.send(0, new NoteHostSilent(owner(), "n0", executor, 30L));
    shards.run();
  }

  /** Who listens to the heartbeats has had none for all the time that the attributes give. */
  private void lost(String executor) {
    shards.send(0, new NoteHostLost(owner(), "n0", executor, 340L));
    shards.run();
  }

  private void down() {
    silent(Calls.SPOOL);
    lost(Calls.SPOOL);
  }

  private Node node() {
    return shards.tables(0).nodes().get("n0");
  }

  private StartRun runningOnce(String owner) {
    NewJob wish = Calls.job(owner, "workq", 1);
    wish.getSpec().setRerunnable(false);
    assertEquals(0, shards.grant(shards.submit(wish), "default", "n0", 1).getCode());
    return shards.lastStart();
  }

  private <R extends SpecificRecord> List<R> orders(Class<R> type) {
    return shards.dispatch().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void aSilentHostsNodeIsDownAndTakesNoMoreRuns() {
    silent("somebody else");
    assertTrue(node().getUp());
    silent(Calls.SPOOL);
    silent(Calls.SPOOL);
    assertFalse(node().getUp());
    assertEquals("nothing heard for 30 s", node().getDownWhy());
    assertEquals(1, shards.facts(NodeWentDown.class).size());
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(PbsError.NO_ROOM.code(), shards.grant(job, "default", "n0", 1).getCode());
  }

  @Test
  void itsRunsAreGivenUpWhenItsTimeIsOver() {
    StartRun again = shards.running("ann");
    shards.started(again);
    StartRun once = runningOnce("bob");
    shards.started(once);
    lost(Calls.SPOOL);
    assertEquals(JobStatus.RUNNING, shards.status(again.getJobId()), "the host is up");
    silent(Calls.SPOOL);
    lost("somebody else");
    assertEquals(JobStatus.RUNNING, shards.status(again.getJobId()));
    lost(Calls.SPOOL);
    assertEquals(JobStatus.QUEUED, shards.status(again.getJobId()));
    assertEquals(ExitStatus.NODE_FAILED, shards.facts(RunRequeued.class).get(0).getExitStatus());
    assertEquals("execution node n0 down", shards.facts(RunRequeued.class).get(0).getWhy());
    Job ended = shards.job(once.getJobId());
    assertEquals(JobStatus.FINISHED, ended.getStatus());
    assertEquals(ExitStatus.NODE_FAILED, ended.getExitStatus());
    assertEquals("execution node n0 down", shards.facts(RunFinished.class).get(0).getMessage());
    assertEquals(List.of(), node().getHoldings());
    assertEquals(
        List.of(again.getJobId(), once.getJobId()),
        orders(KillRun.class).stream().map(KillRun::getJobId).toList(),
        "should the host come back");
    assertEquals(Calls.SPOOL, orders(KillRun.class).get(0).getExecutor());
    for (KillRun end : orders(KillRun.class)) {
      assertTrue(end.getDiscard(), "another run may have delivered its output by then");
      assertEquals(0, end.getKillDelayS());
    }
  }

  @Test
  void whatItSaysLaterOfARunThatWasGivenUpIsIgnored() {
    StartRun run = shards.running("ann");
    down();
    shards.finished(run, 0);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    shards.nodeUp("n0", 4);
    assertTrue(node().getUp());
    assertEquals("", node().getDownWhy());
    assertEquals(0, shards.grant(run.getJobId(), "default", "n0", 1).getCode());
    shards.finished(run, 0);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()), "the end of run 1");
    shards.finished(shards.lastStart(), 5);
    assertEquals(5, shards.job(run.getJobId()).getExitStatus());
  }

  @Test
  void aHostThatIsHeardAgainIsAskedAndItsRunsGoOn() {
    StartRun run = shards.running("ann");
    silent(Calls.SPOOL);
    int asked = orders(AskHost.class).size();
    shards.send(0, new NoteHostHeard(owner(), "n0", Calls.SPOOL));
    shards.run();
    assertEquals(asked + 1, orders(AskHost.class).size());
    shards.nodeUp("n0", 4);
    shards.send(0, new NoteHostHeard(owner(), "n0", Calls.SPOOL));
    shards.run();
    assertEquals(asked + 1, orders(AskHost.class).size());
    shards.pass(LONG_MS);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    assertEquals(List.of(), shards.facts(RunRequeued.class));
  }

  @Test
  void timeThatPassesWhileTheServerIsAwayGivesNothingUp() {
    StartRun run = shards.running("ann");
    shards.started(run);
    silent(Calls.SPOOL);
    shards.pass(10 * LONG_MS);
    assertFalse(node().getUp());
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    shards.nodeUp("n0", 4);
    shards.pass(10 * LONG_MS);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    shards.finished(run, 0);
    assertEquals(0, shards.job(run.getJobId()).getExitStatus());
  }

  @Test
  void aHostThatIsHeardAndHasNotAnsweredYetKeepsItsRuns() {
    StartRun run = shards.running("ann");
    silent(Calls.SPOOL);
    shards.send(0, new NoteHostHeard(owner(), "n0", Calls.SPOOL));
    shards.run();
    shards.pass(LONG_MS);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    assertEquals(List.of(), shards.facts(RunRequeued.class));
  }

  @Test
  void manyRunsAreGivenUpInSeveralSteps() {
    shards.nodeUp("n0", 100);
    for (int i = 0; i < 100; i++) {
      shards.running("ann");
    }
    down();
    assertEquals(100, shards.facts(RunRequeued.class).size());
    assertEquals(List.of(), node().getHoldings());
  }

  private String array(int first, int last, int most) {
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.setArray(ArrayStates.fresh(first, last, 1, most));
    return shards.submit(wish);
  }

  private StartRun subjobRuns(String array, int index) {
    assertEquals(0, shards.grant(subjob(array, index), "default", "n0", 1).getCode());
    shards.started(shards.lastStart());
    return shards.lastStart();
  }

  private static String subjob(String array, int index) {
    return array.replace("[]", "[" + index + "]");
  }

  /** Facts about one array count on each other: what one run means is looked at behind the last. */
  @Test
  void anArrayWhoseRunsAreAllLostAndWereToBeDeletedEnds() {
    String array = array(1, 3, 0);
    for (int i = 1; i <= 3; i++) {
      subjobRuns(array, i);
    }
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), array, false)));
    down();
    assertEquals(JobStatus.FINISHED, shards.status(array));
    assertEquals(3, shards.job(array).getArray().getExpired());
    assertEquals(1, shards.facts(ArrayEnded.class).size());
  }

  @Test
  void whoeverDeletesByForceNeedsNoHost() {
    StartRun run = shards.running("ann");
    StartRun other = shards.running("ann");
    DeleteJob force =
        new DeleteJob(shards.user("ann"), run.getJobId(), false, List.of(), false, true, false);
    assertEquals(0, shards.code(0, force));
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()), "its host is heard");
    silent(Calls.SPOOL);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    force.setMeta(shards.user("ann"));
    assertEquals(0, shards.code(0, force));
    Job job = shards.job(run.getJobId());
    assertEquals(JobStatus.FINISHED, job.getStatus());
    assertEquals(271, job.getExitStatus());
    assertEquals("ann@" + Calls.HOST, job.getEndedBy());
    assertEquals(JobStatus.RUNNING, shards.status(other.getJobId()), "nobody spoke of that one");
    assertEquals(1, shards.holdings(0, "n0").size());
  }

  @Test
  void whoeverRerunsByForceNeedsNoHost() {
    StartRun run = runningOnce("ann");
    RerunJob plain = Calls.rerun(shards.operator(), run.getJobId());
    assertEquals(15038, shards.code(0, plain), "it may not run twice");
    silent(Calls.SPOOL);
    RerunJob force = new RerunJob(shards.user("ann"), run.getJobId(), true);
    assertEquals(15007, shards.code(0, force));
    force.setMeta(shards.operator());
    assertEquals(0, shards.code(0, force));
    Job job = shards.job(run.getJobId());
    assertEquals(JobStatus.QUEUED, job.getStatus());
    assertEquals(List.of(), shards.holdings(0, "n0"));
    RunRequeued requeued = shards.facts(RunRequeued.class).get(0);
    assertEquals(-11, requeued.getExitStatus());
    assertEquals("rerun by force, execution node n0 down", requeued.getWhy());
    List<KillRun> orders =
        shards.dispatch().stream()
            .filter(KillRun.class::isInstance)
            .map(KillRun.class::cast)
            .toList();
    assertTrue(orders.stream().anyMatch(KillRun::getDiscard), "what is left ends with the host");
  }

  @Test
  void aJobThatIsRerunByForceWaitsForItsHostWhileThatIsHeard() {
    StartRun run = runningOnce("ann");
    RerunJob force = new RerunJob(shards.operator(), run.getJobId(), true);
    assertEquals(0, shards.code(0, force));
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    down();
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()), "it is to run again");
  }

  @Test
  void anArrayIsDeletedByForceWithAllItsRuns() {
    String array = array(1, 3, 0);
    for (int i = 1; i <= 3; i++) {
      subjobRuns(array, i);
    }
    silent(Calls.SPOOL);
    DeleteJob force = new DeleteJob(shards.user("ann"), array, false, List.of(), true, true, false);
    assertEquals(0, shards.code(0, force));
    assertEquals(JobStatus.FINISHED, shards.status(array));
    assertEquals(3, shards.job(array).getArray().getExpired());
    assertTrue(shards.facts(RunKillRequested.class).stream().allMatch(RunKillRequested::getQuiet));
  }

  @Test
  void eachIndexBehindLostRunsIsOpenedOnce() {
    String array = array(1, 10, 3);
    for (int i = 1; i <= 3; i++) {
      subjobRuns(array, i);
      assertEquals(
          0, shards.code(0, Calls.delete(shards.user("ann"), subjob(array, i), false)), "" + i);
    }
    down();
    ArrayState state = shards.job(array).getArray();
    assertEquals(List.of(4, 5, 6), state.getWaiting());
    assertEquals(List.of(), state.getBegun());
    assertEquals(10, ArrayStates.size(state));
    assertEquals(3, state.getExpired());
    assertEquals(4, ArrayStates.left(state));
    List<String> opened =
        shards.facts(JobQueued.class).stream().map(fact -> fact.getJob().getId()).toList();
    assertEquals(opened.stream().distinct().toList(), opened);
  }

  @Test
  void anArrayWhoseQueueWentAwayFollowsItWhenItsRunsAreLost() {
    String array = array(1, 4, 0);
    subjobRuns(array, 1);
    subjobRuns(array, 2);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=peast");
    assertEquals(0, shards.where(array), "its runs are here");
    down();
    assertEquals(shards.shardOfQueue("workq"), shards.where(array));
    assertTrue(shards.where(array) > 0);
    assertEquals(List.of(1, 2, 3, 4), shards.job(array).getArray().getWaiting());
  }

  @Test
  void aJobThatWasToBeDeletedEnds() {
    StartRun run = shards.running("ann");
    shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    down();
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
  }

  @Test
  void onlyTimesThatMakeSenseAreTaken() {
    for (String wrong : List.of("max_unheard=5", "job_requeue_timeout=0")) {
      assertEquals(
          PbsError.ILLEGAL_VALUE.code(),
          shards.qmgr(ChangeOperation.SET, ObjectKind.SERVER, "server", wrong).getCode(),
          wrong);
    }
    shards.must(
        ChangeOperation.SET, ObjectKind.SERVER, "server", "max_unheard=6", "job_requeue_timeout=9");
  }

  /** The order that ended it may have been removed before its host came back. */
  @Test
  void aRunThatWasGivenUpIsEndedWheneverItsHostNamesIt() {
    StartRun run = shards.running("ann");
    shards.started(run);
    shards.started(run);
    assertNull(shards.lastKill(), "it goes on");
    down();
    assertEquals(1, orders(KillRun.class).size());
    shards.nodeUp("n0", 4);
    shards.started(run);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    assertEquals(2, orders(KillRun.class).size());
    assertEquals(1, shards.lastKill().getRun());
    assertTrue(shards.lastKill().getDiscard());
    assertEquals("", shards.lastKill().getExecutor(), "whoever has it");
    shards.grant(run.getJobId(), "default", "n0", 1);
    shards.finished(shards.lastStart(), 0);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
    shards.started(run);
    assertEquals(3, orders(KillRun.class).size());
    assertEquals(1, shards.lastKill().getRun());
    shards.pass(30L * 24 * 3_600_000);
    assertNull(shards.job(run.getJobId()));
    shards.started(run);
    assertEquals(4, orders(KillRun.class).size());
  }
}
