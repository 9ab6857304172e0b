package io.millrace.server.core.run.finished;

import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.RunEnd;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.placement.RunTimes;
import io.millrace.server.core.share.Charges;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.CutText;
import io.millrace.server.core.state.Holds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Decides what the end of a run means for its job. */
public final class Deciders {
  /** Delay before a job whose files could not be staged in is tried again. */
  static final long STAGE_IN_AGAIN_MS = 1_800_000;

  /** PBS gives up after this many failed starts and holds the job for the administrator. */
  public static final int RUNS_MAX = 21;

  /** Most characters of what an executor says of an end. */
  static final int MESSAGE_MAX = 4_000;

  /** Most characters of what a script has written down of its steps. */
  static final int STEPS_MAX = 16_384;

  private static final String STEP = "0123456789 \n";

  public Decision decide(Context c, ReportRunFinished command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    if (job == null) {
      // Reported before, or a run that was given up.
      return Decision.none();
    }
    if (command.getTask() > 0) {
      return TaskEnds.reported(c, job, command);
    }
    boolean begun = command.getStartedMs() > 0;
    long beganMs = begun ? RunTimes.began(job, command.getStartedMs(), c.nowMs()) : 0;
    return RunCompletion.of(
        c,
        job,
        RunEnd.newBuilder()
            .setExitStatus(command.getExitStatus())
            .setUsed(command.getUsed())
            .setStartedMs(beganMs)
            .setFinishedMs(Math.max(beganMs, Math.min(command.getFinishedMs(), c.nowMs())))
            .setMessage(CutText.line(command.getMessage(), MESSAGE_MAX))
            .setHost(command.getHost())
            .setSteps(steps(command))
            .build());
  }

  /** Lines of numbers; what is none of that nobody has asked for. */
  private static String steps(ReportRunFinished command) {
    ByteBuffer bytes = command.getOutput().duplicate();
    String text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
    boolean sound =
        text.length() <= STEPS_MAX && text.chars().allMatch(it -> STEP.indexOf(it) >= 0);
    return sound ? text : "";
  }

  /** Decides the end of a run whose script is over and that has no tasks left. */
  static void reported(Context c, Job job, RunEnd end, Usage used, Decision decision) {
    boolean failedStaging = end.getExitStatus() == ExitStatus.STAGE_IN_FAILED;
    boolean failedStart = end.getExitStatus() == ExitStatus.START_FAILED || failedStaging;
    boolean atFault = atFault(job, end);
    boolean downed = end.getExitStatus() == ExitStatus.RERUN && job.getSpec().getRerunnable();
    boolean gaveWay = gaveWay(job, end);
    boolean again =
        (failedStart || !WrittenSteps.runsOnce(job.getSpec()))
            && (gaveWay
                ? job.getKilling() == KillPurpose.RERUN
                : rerunAsked(job)
                    || atFault
                    || ((failedStart || downed) && job.getKilling() == KillPurpose.NONE));
    if (again) {
      String why =
          gaveWay
              ? preempted(job, end)
              : failedStart || atFault
                  ? "could not start: " + end.getMessage()
                  : rerun(end.getMessage());
      int exitStatus =
          gaveWay
              ? ExitStatus.PREEMPTED
              : failedStart || atFault ? end.getExitStatus() : ExitStatus.RERUN;
      RunEndEffects.requeue(c, job, exitStatus, why, used, decision);
      if (atFault) {
        String holds = Holds.union(job.getHolds(), Holds.ERROR);
        decision.fact(new JobHeld(c.stamp(), job.getId(), holds, Holds.ERROR, end.getMessage()));
      } else if (failedStart && job.getRun() >= RUNS_MAX) {
        hold(c, job, "s", decision);
      } else if (failedStaging) {
        putOff(c, job, decision);
      }
    } else {
      int status = gaveWay ? ExitStatus.PREEMPTED : end.getExitStatus();
      Charges.ended(c, job, used, decision);
      decision.fact(
          new RunFinished(
              c.stamp(),
              job.getId(),
              job.getRun(),
              status,
              used,
              end.getStartedMs(),
              end.getFinishedMs(),
              gaveWay ? preempted(job, end) : end.getMessage(),
              RunEndEffects.waitedMs(c, job),
              end.getSteps()));
      Dependents.ended(c, job, JobEnd.ofRun(job, status), decision);
      SubjobWindow.ended(c, job, status, decision);
    }
    RunEndEffects.leave(c, job, again, decision);
  }

  /**
   * Whether the run ended because it had to give way. One that ends with status 0 was over before
   * it heard of that, or has cared for itself: its work is done.
   */
  private static boolean gaveWay(Job job, RunEnd end) {
    return !job.getPreemptedFor().isEmpty() && end.getExitStatus() != 0;
  }

  /**
   * Whether a job of Grid Engine could not be started by its own fault: it goes into the error
   * state, in which it waits for somebody to mend it.
   */
  private static boolean atFault(Job job, RunEnd end) {
    return end.getExitStatus() == ExitStatus.NOT_STARTED
        && job.getSpec().getGridEngine() != null
        && job.getKilling() == KillPurpose.NONE;
  }

  private static boolean rerunAsked(Job job) {
    return job.getKilling() == KillPurpose.RERUN && job.getPreemptedFor().isEmpty();
  }

  private static String preempted(Job job, RunEnd end) {
    String message = end.getMessage().isEmpty() ? "" : ": " + end.getMessage();
    return "preempted for " + job.getPreemptedFor() + message;
  }

  /** The message for a requeued job: it keeps the note about files that could not be delivered. */
  private static String rerun(String message) {
    return message.isEmpty() ? "rerun" : "rerun: " + message;
  }

  /**
   * Holds a job that could not be started that often; of a subjob the whole array, as the others
   * would fail too.
   */
  private static void hold(Context c, Job job, String hold, Decision decision) {
    Job array = SubjobWindow.array(c, job);
    Job held = array == null ? job : array;
    if (array != null) {
      SubjobWindow.stop(c, array, job, decision);
    }
    String holds = Holds.union(held.getHolds(), hold);
    decision.fact(new JobHeld(c.stamp(), held.getId(), holds, hold, ""));
  }

  /** Postpones a job whose files could not be staged in, as PBS does. */
  private static void putOff(Context c, Job job, Decision decision) {
    Job array = SubjobWindow.array(c, job);
    Job waits = array == null ? job : array;
    if (waits.getSpec().getExecutionMs() > c.nowMs()) {
      return;
    }
    JobSpec spec = Copies.of(waits.getSpec());
    spec.setExecutionMs(c.nowMs() + STAGE_IN_AGAIN_MS);
    // Not JobAltered: the accounting would record an alteration by a user.
    decision.fact(new JobAltered(c.stamp(), waits.getId(), spec, "put_off", null));
    hold(c, job, Holds.WAIT, decision);
  }
}
