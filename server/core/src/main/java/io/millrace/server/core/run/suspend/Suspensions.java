package io.millrace.server.core.run.suspend;

import io.millrace.schemas.fact.RunMadeResumable;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;

/** Suspends and resumes runs, for qsig and for engines. */
public final class Suspensions {
  private Suspensions() {}

  /** Suspends a running job for somebody who may interrupt it; such a one can resume it. */
  public static Decision ask(Context c, Job job) {
    if (!runs(job)) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    return suspend(c, job, Suspension.OPERATOR, c.meta().getPrincipal() + "@" + c.meta().getHost());
  }

  /** Lets a suspended job be resumed as soon as there is room, for an operator. */
  public static Decision askToResume(Context c, Job job) {
    if (job.getSuspension() == Suspension.NONE || job.getKilling() != KillPurpose.NONE) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    Decision decision = Decision.done(c);
    if (job.getSuspension() == Suspension.OPERATOR) {
      String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
      decision.fact(new RunMadeResumable(c.stamp(), job.getId(), job.getRun(), by));
    }
    StrandedRuns.resume(c, job, decision);
    return decision;
  }

  /** Resumes the run. */
  static void resume(Context c, Job job, String by, Decision decision) {
    int order = job.getOrders() + 1;
    decision.fact(new RunResumed(c.stamp(), job.getId(), job.getRun(), order, by));
    Orders.signal(c, job, order, Orders.RESUME, decision);
  }

  /** Whether a job that has a run can be suspended. */
  public static boolean runs(Job job) {
    return job.getSuspension() == Suspension.NONE && job.getKilling() == KillPurpose.NONE;
  }

  /** Suspends the run; the order is dispatched before the order of any run that gets its nodes. */
  public static Decision suspend(Context c, Job job, Suspension how, String by) {
    return suspend(c, job, how, by, Decision.done(c));
  }

  /** The same behind what was decided already. */
  public static Decision suspend(Context c, Job job, Suspension how, String by, Decision decision) {
    int order = job.getOrders() + 1;
    decision.fact(
        new RunSuspended(
            c.stamp(),
            job.getId(),
            job.getRun(),
            order,
            how,
            job.getAllocation().getShares(),
            Resumption.ranMs(job, c.nowMs()),
            by));
    return Orders.signal(c, job, order, Orders.SUSPEND, decision);
  }
}
