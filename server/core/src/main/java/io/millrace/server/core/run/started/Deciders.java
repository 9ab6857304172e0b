package io.millrace.server.core.run.started;

import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.job.depend.Dependents;
import io.millrace.server.core.run.grant.Orders;

/** Decides what a report of a start means. */
public final class Deciders {

  public Decision decide(Context c, ReportRunStarted command) {
    Job job = c.job(command.getJobId());
    if (job == null || job.getRun() != command.getRun()) {
      // A run that nobody waits for any more must not go on.
      return Decision.none()
          .dispatch(Orders.kill(c, command.getJobId(), command.getRun(), command.getHost()));
    }
    if (job.getStatus() != JobStatus.RUNNING || job.getSessionId() != 0) {
      return Decision.none();
    }
    Decision decision =
        Decision.none()
            .fact(
                new RunStarted(
                    c.stamp(),
                    job.getId(),
                    command.getRun(),
                    command.getSessionId(),
                    command.getStartedMs()));
    Dependents.begun(c, job, decision);
    return decision;
  }
}
