package io.millrace.server.core.work;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Has a job of a routing queue tried. */
public final class RoutingWork {
  /** Name of the work; the cursor is the job's id. */
  public static final String JOB = "routing-job";

  private RoutingWork() {}

  /** Has the job tried soon, if it is in a routing queue. */
  public static void soon(Context c, Job job, Decision decision) {
    if (job.getRoute() != null) {
      entered(c, job.getId(), decision);
    }
  }

  /** Has a job tried that comes into a routing queue with this decision. */
  public static void entered(Context c, String jobId, Decision decision) {
    decision.goOn(c, JOB, jobId);
  }
}
