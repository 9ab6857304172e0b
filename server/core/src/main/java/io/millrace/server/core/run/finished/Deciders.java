package io.millrace.server.core.run.finished;

import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.depend.Dependents;
import io.millrace.server.core.job.depend.JobEnd;
import io.millrace.server.core.job.hold.Holds;

/** Decides what the end of a run means for its job. */
public final class Deciders {
  /** PBS's JOB_EXEC_RETRY: the executor could not start the run; another try may succeed. */
  public static final int EXEC_RETRY = -3;

  /** PBS's JOB_EXEC_RERUN: the run was ended so that the job runs again. */
  public static final int EXEC_RERUN = -11;

  /** PBS gives up after this many failed starts and holds the job for the administrator. */
  public static final int RUNS_MAX = 21;

  public Decision decide(Context c, ReportRunFinished command) {
    Job job = Ends.current(c, command.getJobId(), command.getRun());
    if (job == null) {
      // Reported before, or a run that was given up.
      return Decision.none();
    }
    Decision decision = Decision.none();
    boolean failedStart = command.getExitStatus() == EXEC_RETRY;
    boolean again =
        job.getKilling() == KillPurpose.RERUN
            || (failedStart && job.getKilling() == KillPurpose.NONE);
    if (again) {
      String why = failedStart ? "could not start: " + command.getMessage() : "rerun";
      int exitStatus = failedStart ? EXEC_RETRY : EXEC_RERUN;
      Ends.requeue(c, job, exitStatus, why, decision);
      if (failedStart && job.getRun() >= RUNS_MAX) {
        hold(c, job, decision);
      }
    } else {
      decision.fact(
          new RunFinished(
              c.stamp(),
              job.getId(),
              job.getRun(),
              command.getExitStatus(),
              command.getUsed(),
              command.getStartedMs(),
              command.getFinishedMs(),
              command.getMessage()));
      Dependents.ended(c, job, JobEnd.ofRun(job, command.getExitStatus()), decision);
      Window.ended(c, job, command.getExitStatus(), decision);
    }
    Ends.leave(c, job, again, decision);
    return decision;
  }

  /** A job that could not be started so often, or its array: the others would fare no better. */
  private static void hold(Context c, Job job, Decision decision) {
    Job array = Window.array(c, job);
    Job held = array == null ? job : array;
    if (array != null) {
      Window.stop(c, array, job, decision);
    }
    String holds = Holds.union(held.getHolds(), "s");
    decision.fact(new JobHeld(c.stamp(), held.getId(), holds, "s"));
  }
}
