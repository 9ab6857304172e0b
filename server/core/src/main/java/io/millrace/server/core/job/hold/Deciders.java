package io.millrace.server.core.job.hold;

import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.order.RunHold;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;

/** Decides holds and their release. */
public final class Deciders {

  public Decision decide(Context c, HoldJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    Decision refusal = refuse(c, job, command.getHolds());
    if (refusal != null) {
      return refusal;
    }
    String holds = Holds.union(job.getHolds(), command.getHolds());
    if (holds.equals(job.getHolds())) {
      return Decision.done(c);
    }
    Decision decision = Decision.done(c);
    SubjobWindow.closed(c, job, decision);
    RunHold.tell(c, job, holds, decision);
    return decision.fact(new JobHeld(c.stamp(), job.getId(), holds, command.getHolds(), ""));
  }

  public Decision decide(Context c, ReleaseJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    Decision refusal = refuse(c, job, Holds.minus(command.getHolds(), Holds.ERROR));
    if (refusal != null) {
      return refusal;
    }
    String holds = Holds.minus(job.getHolds(), command.getHolds());
    if (holds.equals(job.getHolds())) {
      return Decision.done(c);
    }
    Decision decision =
        Decision.done(c).fact(new JobReleased(c.stamp(), job.getId(), holds, command.getHolds()));
    RunHold.tell(c, job, holds, decision);
    RoutingWork.soon(c, job, decision);
    ArrayWork.soon(c, job, decision);
    return decision;
  }

  public Decision execution(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    ExecutionTimes.due(c, timer.getSubject(), decision);
    return decision;
  }

  private static Decision refuse(Context c, Job job, String holds) {
    if (c.mayActOn(job) && JobNumbers.isSubjob(job.getNumber())) {
      // As in PBS the array is held and released as a whole.
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    PbsError refusal = c.mayActOn(job) ? HoldRights.refusal(c, holds) : PbsError.UNAUTHORIZED;
    if (refusal != null) {
      return Decision.rejected(c, refusal);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    return job.getStatus() == JobStatus.EXITING ? Decision.rejected(c, PbsError.BAD_STATE) : null;
  }
}
