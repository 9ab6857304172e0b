package io.millrace.server.core.run.preempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import org.junit.jupiter.api.Test;

/** A run makes room only for the engine in whose care it is, and only as its job allows. */
class PreemptTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");
  private final String job = run.getJobId();

  private int preempt(String ways) {
    return preempt("default", shards.epoch("default"), job, ways);
  }

  private int preempt(String scheduler, long epoch, String id, String ways) {
    return shards.code(
        0, new PreemptJob(shards.engine(scheduler), scheduler, epoch, id, "99.mill", ways));
  }

  @Test
  void theJobWaitsAgainWhenTheEndOfItsRunIsReported() {
    long rank = shards.job(job).getRank();
    assertEquals(0, preempt("RD"));
    assertEquals(KillPurpose.RERUN, shards.job(job).getKilling());
    assertEquals(1, shards.lastKill().getRun());
    assertEquals(JobStatus.RUNNING, shards.status(job), "its nodes are its own until then");
    assertEquals(0, preempt("R"), "it goes anyway");
    assertEquals(1, shards.facts(RunKillRequested.class).size());
    shards.finished(run, 271);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(rank, shards.job(job).getRank());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(2, shards.lastStart().getRun());
  }

  @Test
  void aJobThatMayNotRunAgainIsDeletedOrLeftAlone() {
    AlterJob not =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(job)
            .setRerunnable(false)
            .build();
    assertEquals(0, shards.code(0, not));
    assertEquals(PbsError.NOT_RERUNNABLE.code(), preempt("R"));
    assertEquals(KillPurpose.NONE, shards.job(job).getKilling());
    assertEquals(0, preempt("RD"));
    shards.finished(run, 271);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(
        "Scheduler@" + Calls.HOST + ", preempted for 99.mill", shards.job(job).getEndedBy());
  }

  @Test
  void aSuspendedJobKeepsItsRunAndMayGoOn() {
    assertEquals(0, preempt("SRD"));
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension());
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals(PbsError.BAD_STATE.code(), preempt("SRD"), "it has made room");
    assertEquals(0, shards.facts(RunKillRequested.class).size());
    long epoch = shards.epoch("default");
    assertEquals(
        0, shards.code(0, new ResumeRun(shards.engine("default"), "default", epoch, job, 1)));
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
    assertEquals(1, shards.job(job).getRun());
  }

  @Test
  void refusals() {
    long epoch = shards.epoch("default");
    assertEquals(PbsError.STALE_PROPOSAL.code(), preempt("default", epoch - 1, job, "R"));
    assertEquals(
        PbsError.STALE_PROPOSAL.code(), preempt("es", shards.epoch("es"), job, "R"), "not its own");
    assertEquals(PbsError.UNKNOWN_JOB.code(), preempt("default", epoch, "77.mill", "R"));
    shards.finished(run, 0);
    assertEquals(PbsError.BAD_STATE.code(), preempt("R"));
    assertEquals(0, shards.facts(RunKillRequested.class).size());
  }

  @Test
  void whatTheAttributesTake() {
    set("preempt_order=SR 50  D");
    set("preempt_order=SCR");
    set("preempt_prio=express_queue,normal_jobs, express_queue+server_softlimits");
    set("preempt_queue_prio=200");
    set("preempt_queue_prio=-5");
    set("preempt_sort=min_time_since_start");
    set("preemptive_sched=f");
    set("preempt_targets_enable=false");
    set("sched_preempt_enforce_resumption=false");
    refused("15014 Illegal attribute or resource value", "preempt_order=RR");
    refused("15014 Illegal attribute or resource value", "preempt_order=S 50 R 80 D");
    refused("15014 Illegal attribute or resource value", "preempt_prio=express");
    refused("15014 Illegal attribute or resource value", "preempt_prio=normal_jobs,normal_jobs");
    refused("15014 Illegal attribute or resource value", "preempt_sort=max");
    refused(
        "15014 Illegal attribute or resource value: only C in preempt_order: there is no"
            + " checkpointing; add S, R or D",
        "preempt_order=SR 50 C");
    set("preempt_targets_enable=True");
    set("sched_preempt_enforce_resumption=t");
    set("preempt_prio=express_queue, normal_jobs, fairshare");
    set("preempt_prio=normal_jobs, normal_jobs+fairshare");
    set("preempt_prio=starving_jobs, normal_jobs");
  }

  private void set(String pair) {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", pair);
  }

  private void refused(String text, String pair) {
    var reply = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", pair);
    assertEquals(text, reply.getCode() + " " + String.join("", reply.getLines()));
  }
}
