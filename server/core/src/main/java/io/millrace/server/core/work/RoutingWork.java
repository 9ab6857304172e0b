package io.millrace.server.core.work;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Continued work that routes single jobs. */
public final class RoutingWork {
  /** Name of the work; the cursor is the job's id. */
  public static final String JOB = "routing-job";

  private RoutingWork() {}

  /** Tries to route the job soon, if it is in a routing queue. */
  public static void soon(Context c, Job job, Decision decision) {
    if (job.getRoute() != null) {
      entered(c, job.getId(), decision);
    }
  }

  /** Tries to route a job that enters a routing queue with this decision. */
  public static void entered(Context c, String jobId, Decision decision) {
    decision.goOn(c, JOB, jobId);
  }
}
