package io.millrace.server.core.run.finished;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.share.Charges;
import io.millrace.server.core.work.LeavingWork;

/** Effects of the end of a run, for all causes of the end. */
public final class RunEndEffects {
  private RunEndEffects() {}

  /** The job if this is its current run; null for a run that has ended or was given up. */
  public static Job current(Context c, String jobId, int run) {
    Job job = c.job(jobId);
    boolean current =
        job != null
            && job.getRun() == run
            && (job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING);
    return current ? job : null;
  }

  /** Requeues the job; what the run used is not known. */
  public static void requeue(Context c, Job job, int exitStatus, String why, Decision decision) {
    requeue(c, job, exitStatus, why, null, decision);
  }

  /** Requeues the job. */
  static void requeue(
      Context c, Job job, int exitStatus, String why, Usage used, Decision decision) {
    Charges.ended(c, job, used, decision);
    decision.fact(
        new RunRequeued(
            c.stamp(), job.getId(), job.getRun(), exitStatus, why, used, waitedMs(c, job)));
    SubjobWindow.requeued(c, job, decision);
  }

  /** Ends the job with a run whose usage is not known. */
  public static void unknown(Context c, Job job, int exitStatus, String why, Decision decision) {
    long startedMs = job.getSessionId() == 0 ? 0 : job.getStartedMs();
    Usage used = Usage.newBuilder().build();
    decision.fact(
        new RunFinished(
            c.stamp(),
            job.getId(),
            job.getRun(),
            exitStatus,
            used,
            startedMs,
            c.nowMs(),
            why,
            waitedMs(c, job),
            ""));
    Dependents.ended(c, job, JobEnd.ofRun(job, exitStatus), decision);
    SubjobWindow.ended(c, job, exitStatus, decision);
  }

  /** For how long the job has waited for resources; -1 where eligible time is not counted. */
  static long waitedMs(Context c, Job job) {
    return Accruals.eligibleMs(c.view(), job, c.nowMs());
  }

  /**
   * Checks after the end of a run whether the requeued job or the nodes are to be handed over now.
   */
  public static void leave(Context c, Job job, boolean waits, Decision decision) {
    if (waits) {
      LeavingWork.check(c, job, decision);
    }
    for (NodeShare share : job.getAllocation().getShares()) {
      LeavingWork.checkNode(c, share.getNode(), decision);
    }
  }
}
