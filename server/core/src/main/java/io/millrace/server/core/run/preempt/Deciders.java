package io.millrace.server.core.run.preempt;

import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.run.suspend.Suspensions;

/** Checks proposals to stop running jobs against the shard's own state. */
public final class Deciders {

  public Decision decide(Context c, PreemptJob command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    String keeper = PartitionTable.schedulerOf(c.view(), PartitionTable.partitionOf(queue));
    if (queue == null || !command.getScheduler().equals(keeper)) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    if (job.getStatus() != JobStatus.RUNNING || job.getSuspension() != Suspension.NONE) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (Reservations.keepsFrom(c.view(), job, c.job(command.getForJob()))) {
      // It has gone into a reservation meanwhile.
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (job.getKilling() != KillPurpose.NONE) {
      // The run is ending already.
      return Decision.done(c);
    }
    if (command.getWays().equals(BestEffortEnds.WAY)) {
      return BestEffortEnds.decide(c, job, queue, command);
    }
    String by = "Scheduler@" + c.meta().getHost() + ", preempted for " + command.getForJob();
    for (char way : command.getWays().toCharArray()) {
      if (way == 'S') {
        return Suspensions.suspend(c, job, Suspension.RESUMABLE, by);
      }
      if (way == 'R' && job.getSpec().getRerunnable()) {
        return end(c, job, KillPurpose.RERUN, by);
      }
      if (way == 'D') {
        return end(c, job, KillPurpose.DELETE, by);
      }
    }
    return Decision.rejected(c, PbsError.NOT_RERUNNABLE);
  }

  private static Decision end(Context c, Job job, KillPurpose purpose, String by) {
    Decision decision =
        Decision.done(c)
            .fact(new RunKillRequested(c.stamp(), job.getId(), job.getRun(), purpose, by, false));
    return Orders.kill(c, job, decision);
  }
}
