package io.millrace.server.core.run.finished;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunEnding;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.RunEnd;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.run.task.Usages;

/**
 * Completes a run, which ends when its script and all its tasks have ended. Its allocation stays
 * until then.
 */
public final class RunCompletion {
  private RunCompletion() {}

  /** The script has ended: ends the run, or the tasks that are left of it. */
  public static Decision of(Context c, Job job, RunEnd end) {
    Decision decision = Decision.none();
    RunTasks tasks = job.getTasks();
    if (tasks == null || tasks.getLive().isEmpty()) {
      conclude(c, job, end, tasks == null ? Usages.NOTHING : tasks.getUsed(), decision);
    } else if (tasks.getEnding() == null) { // told for the first time
      decision.fact(new RunEnding(c.stamp(), job.getId(), job.getRun(), end));
      Orders.killTasks(c, job, decision);
    }
    return decision;
  }

  /** Ends a run of which nothing is left; {@code tasks} is what its tasks used. */
  static void conclude(Context c, Job job, RunEnd end, Usage tasks, Decision decision) {
    if (end.getMissing()) {
      missing(c, job, end, decision);
    } else {
      Deciders.reported(c, job, end, Usages.withTasks(end.getUsed(), tasks), decision);
    }
  }

  /**
   * A run that its host does not know. The same run is not ordered again: the next one has another
   * number, and an executor that has an earlier run after all ends it when it hears of the later
   * one.
   */
  private static void missing(Context c, Job job, RunEnd end, Decision decision) {
    boolean begun = job.getSessionId() != 0;
    boolean once = WrittenSteps.runsOnce(job.getSpec());
    boolean again =
        switch (job.getKilling()) {
          case RERUN -> !begun || !once;
          case DELETE -> false;
          case NONE -> !begun || job.getSpec().getRerunnable() && !once;
        };
    if (again) {
      boolean lost = !begun && job.getKilling() == KillPurpose.NONE;
      String why = lost ? "never started: " + end.getMessage() : end.getMessage();
      RunEndEffects.requeue(c, job, ExitStatus.UNKNOWN, why, decision);
    } else {
      RunEndEffects.unknown(c, job, ExitStatus.UNKNOWN, end.getMessage(), decision);
    }
    RunEndEffects.leave(c, job, again, decision);
  }
}
