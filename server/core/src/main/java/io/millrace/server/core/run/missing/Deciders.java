package io.millrace.server.core.run.missing;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.RunEnd;
import io.millrace.schemas.state.RunTask;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.run.finished.RunCompletion;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.finished.TaskEnds;
import io.millrace.server.core.run.task.Tasks;
import io.millrace.server.core.run.task.Usages;

/** Decides what becomes of a run that its host does not know. */
public final class Deciders {
  /**
   * The effects are in {@link RunCompletion} and {@link TaskEnds}; a run whose end was reported
   * before is ignored.
   */
  public Decision decide(Context c, ReportRunMissing command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    RunTask task = job == null ? null : Tasks.find(job, command.getTask());
    if (job == null || (command.getTask() > 0 && task == null)) {
      return Decision.none();
    }
    Decision decision;
    if (command.getTask() > 0) {
      String why = "host " + command.getHost() + " has no such task";
      decision = TaskEnds.missing(c, job, command.getTask(), why);
    } else {
      decision = RunCompletion.of(c, job, lost(command));
    }
    if (tookOver(c, job, task == null ? 0 : task.getShare())) {
      // The earlier executor may be alive after all: it must end the run.
      decision.dispatch(
          Orders.discard(c, job.getId(), job.getRun(), command.getHost(), command.getTask()));
    }
    return decision;
  }

  public Decision rollCall(Context c, Continue work) {
    return RollCall.go(c, work.getCursor());
  }

  private static RunEnd lost(ReportRunMissing report) {
    return RunEnd.newBuilder()
        .setExitStatus(ExitStatus.UNKNOWN)
        .setUsed(Usages.NOTHING)
        .setStartedMs(0)
        .setFinishedMs(0)
        .setMessage("host " + report.getHost() + " has no such run")
        .setMissing(true)
        .setHost(report.getHost())
        .build();
  }

  private static boolean tookOver(Context c, Job job, int share) {
    Node node = c.view().nodes().get(job.getAllocation().getShares().get(share).getNode());
    return node != null && node.getIncarnation() > 1;
  }
}
