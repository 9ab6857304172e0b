package io.millrace.server.core.job.depend;

import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.array.Deletion;
import io.millrace.server.core.job.array.DeletionRequest;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.state.ArrayStates;

/** The end of a job whose dependencies cannot be satisfied any more. */
public final class Removal {
  private Removal() {}

  /**
   * Deletes the job, and with it the jobs that wait for it; a run that an operator forced is ended.
   */
  public static void remove(Context c, Job job, String why, Decision decision) {
    if (ArrayStates.is(job) && job.getStatus() != JobStatus.FINISHED) {
      Deletion.all(c, job, DeletionRequest.of(c.serverName()), why, decision);
      return;
    }
    switch (job.getStatus()) {
      case QUEUED, HELD -> {
        decision.fact(new JobDeleted(c.stamp(), job.getId(), 0, "", why, false));
        Dependents.ended(c, job, JobEnd.impossible(), decision);
      }
      case RUNNING -> {
        if (job.getKilling() != KillPurpose.DELETE) {
          decision.fact(
              new RunKillRequested(
                  c.stamp(), job.getId(), job.getRun(), KillPurpose.DELETE, c.serverName(), false));
        }
        Orders.kill(c, job, decision);
      }
      default -> {}
    }
  }
}
