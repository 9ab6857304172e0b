package io.millrace.server.core.run.started;

import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.placement.RunTimes;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.task.Tasks;
import io.millrace.server.core.work.ReservationWork;

/** Decides what a report of a start means. */
public final class Deciders {

  public Decision decide(Context c, ReportRunStarted command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    int task = command.getTask();
    if (job == null || (task > 0 && Tasks.find(job, task) == null)) {
      // A run that was given up must not go on.
      return Decision.none()
          .dispatch(
              Orders.discard(c, command.getJobId(), command.getRun(), command.getHost(), task));
    }
    if (task > 0) {
      return Decision.none();
    }
    if (job.getStatus() != JobStatus.RUNNING || job.getSessionId() != 0) {
      return Decision.none();
    }
    long beganMs = RunTimes.began(job, command.getStartedMs(), c.nowMs());
    Decision decision =
        Decision.none()
            .fact(
                new RunStarted(
                    c.stamp(), job.getId(), command.getRun(), command.getSessionId(), beganMs));
    LateStarts.heed(c, job, Math.max(beganMs, job.getResumedMs()), decision);
    Dependents.begun(c, job, decision);
    SubjobWindow.started(c, job, decision);
    if (job.getSpec().getReserveRun()) {
      ReservationWork.run(c, job, decision);
    }
    return decision;
  }
}
