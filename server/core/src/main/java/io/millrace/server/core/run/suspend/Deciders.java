package io.millrace.server.core.run.suspend;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.admission.RunningAmounts;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.placement.SchedulerScope;
import java.util.Optional;

/** Checks proposals of engines to suspend and resume runs. */
public final class Deciders {

  public Decision decide(Context c, SuspendRun command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (!is(job, command.getRun()) || !Suspensions.runs(job)) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!SchedulerScope.of(c, job, command.getScheduler())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    if (Reservations.keepsFrom(c.view(), job, null)) {
      // Its room is its owner's; the scheduler may not have heard of that yet.
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    return Suspensions.suspend(c, job, Suspension.RESUMABLE, command.getScheduler());
  }

  public Decision decide(Context c, ResumeRun command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (!is(job, command.getRun())
        || job.getSuspension() != Suspension.RESUMABLE
        || job.getKilling() != KillPurpose.NONE) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!SchedulerScope.of(c, job, command.getScheduler()) || !SchedulerScope.started(c, job)) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    if (!SchedulerScope.roomToGoOn(c, job)) {
      return Decision.rejected(c, PbsError.NO_ROOM);
    }
    Optional<Decision> refusal = RunningAmounts.refusal(c, job, job.getAllocation().getShares());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Decision decision = Decision.done(c);
    Suspensions.resume(c, job, command.getScheduler(), decision);
    return decision;
  }

  public Decision strandedRuns(Context c, Continue work) {
    return StrandedRuns.go(c, work.getCursor());
  }

  private static boolean is(Job job, int run) {
    return job.getStatus() == JobStatus.RUNNING && job.getRun() == run;
  }
}
