package io.millrace.server.core.job.hold;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Away;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.route.Routing;

/** Decides holds and their release. */
public final class Deciders {

  public Decision decide(Context c, HoldJob command) {
    Decision away = Away.elsewhere(c, command.getJobId(), command);
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
    Window.closed(c, job, decision);
    return decision.fact(new JobHeld(c.stamp(), job.getId(), holds, command.getHolds()));
  }

  public Decision decide(Context c, ReleaseJob command) {
    Decision away = Away.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    Decision refusal = refuse(c, job, command.getHolds());
    if (refusal != null) {
      return refusal;
    }
    String holds = Holds.minus(job.getHolds(), command.getHolds());
    if (holds.equals(job.getHolds())) {
      return Decision.done(c);
    }
    Decision decision =
        Decision.done(c).fact(new JobReleased(c.stamp(), job.getId(), holds, command.getHolds()));
    Routing.soon(c, job, decision);
    Window.soon(c, job, decision);
    return decision;
  }

  private static Decision refuse(Context c, Job job, String holds) {
    if (c.mayActOn(job) && JobNumbers.isSubjob(job.getNumber())) {
      // As in PBS the array is held and released as a whole.
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    PbsError refusal = c.mayActOn(job) ? Holds.refusal(c, holds) : PbsError.UNAUTHORIZED;
    if (refusal != null) {
      return Decision.rejected(c, refusal);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    return job.getStatus() == JobStatus.EXITING ? Decision.rejected(c, PbsError.BAD_STATE) : null;
  }
}
