package io.millrace.server.core.run.preempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run of a queue with best_effort ends for a job that waits, and for nobody else. */
class BestEffortTest {
  private final TestShards shards = TestShards.threePartitions();
  private StartRun run;
  private String job;
  private String waits;

  @BeforeEach
  void aRunOfABestEffortQueue() {
    create("be", "best_effort=True", "kill_delay=0");
    job = shards.submit(Calls.job("ann", "be", 1));
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    run = shards.lastStart();
    waits = shards.submit(Calls.job("bob", "workq", 4));
  }

  private void create(String name, String... pairs) {
    shards.must(
        ChangeOperation.CREATE, ObjectKind.QUEUE, name, "queue_type=e", "enabled=t", "started=t");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, name, pairs);
  }

  private int preempt(String id, String forJob, String ways) {
    long epoch = shards.epoch("default");
    return shards.code(
        0, new PreemptJob(shards.engine("default"), "default", epoch, id, forJob, ways));
  }

  @Test
  void theJobIsOverAndItsNodesAreFree() {
    assertEquals(0, preempt(job, waits, "E"));
    RunPreempted fact = shards.facts(RunPreempted.class).get(0);
    assertEquals(waits, fact.getForJob());
    assertEquals(false, fact.getAgain());
    assertEquals(0, shards.lastKill().getKillDelayS(), "at once, as the queue's kill_delay says");
    assertEquals(PbsError.NO_ROOM.code(), shards.grant(waits, "default", "n0", 4).getCode());
    shards.finished(run, 265);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    RunFinished end = shards.facts(RunFinished.class).get(0);
    assertEquals(ExitStatus.PREEMPTED, end.getExitStatus());
    assertEquals("preempted for " + waits, end.getMessage());
    assertEquals(
        "Scheduler@" + Calls.HOST + ", preempted for " + waits, shards.job(job).getEndedBy());
    assertEquals(0, shards.grant(waits, "default", "n0", 4).getCode());
  }

  @Test
  void withBest_effort_requeueItWaitsAgain() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "be", "best_effort_requeue=True");
    long rank = shards.job(job).getRank();
    assertEquals(0, preempt(job, waits, "E"));
    shards.finished(run, 265);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(rank, shards.job(job).getRank());
    RunRequeued end = shards.facts(RunRequeued.class).get(0);
    assertEquals(ExitStatus.PREEMPTED, end.getExitStatus());
    assertEquals("preempted for " + waits, end.getWhy());
    assertEquals(waits, shards.job(job).getPreemptedFor());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals("", shards.job(job).getPreemptedFor(), "another run");
  }

  @Test
  void aRunThatWasOverAlreadyHasSucceeded() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "be", "best_effort_requeue=True");
    assertEquals(0, preempt(job, waits, "E"));
    shards.finished(run, 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(0, shards.facts(RunFinished.class).get(0).getExitStatus());
  }

  @Test
  void nobodyElseEndsForIt() {
    StartRun plain = shards.running("cy");
    assertEquals(PbsError.BAD_STATE.code(), preempt(plain.getJobId(), waits, "E"));
    assertEquals(PbsError.STALE_PROPOSAL.code(), preempt(job, "77.mill", "E"), "no such job");
    assertEquals(PbsError.STALE_PROPOSAL.code(), preempt(job, plain.getJobId(), "E"), "it runs");
    String other = shards.submit(Calls.job("ann", "be", 1));
    assertEquals(PbsError.STALE_PROPOSAL.code(), preempt(job, other, "E"), "best effort itself");
    assertEquals(0, shards.facts(RunPreempted.class).size());
  }

  @Test
  void whatTheAttributesTake() {
    String pending = ": best_effort changes only while the queue has no jobs";
    refused("be", "best_effort=False", pending);
    create("other", "best_effort=False");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "other", "best_effort=True");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "other", "best_effort=False");
    String requeue = ": best_effort_requeue is for queues with best_effort = True";
    refused("other", "best_effort_requeue=True", requeue);
    String grid =
        ": best_effort is not for scheduler default, whose policy is gridengine: there a queue gives"
            + " way by subordinate_list";
    var reply =
        shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", "policy=gridengine");
    assertEquals(PbsError.ILLEGAL_VALUE.text() + grid, String.join("", reply.getLines()));
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "policy=gridengine");
    reply = shards.qmgr(ChangeOperation.SET, ObjectKind.QUEUE, "east", "best_effort=True");
    assertEquals(
        PbsError.ILLEGAL_VALUE.text() + grid.replace("default", "es"),
        String.join("", reply.getLines()));
  }

  private void refused(String queue, String pair, String why) {
    var reply = shards.qmgr(ChangeOperation.SET, ObjectKind.QUEUE, queue, pair);
    assertEquals(PbsError.ILLEGAL_VALUE.text() + why, String.join("", reply.getLines()));
  }
}
