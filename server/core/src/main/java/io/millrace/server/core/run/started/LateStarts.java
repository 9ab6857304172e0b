package io.millrace.server.core.run.started;

import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.placement.LateStart;

/**
 * Runs that begin late before a reservation: nothing runs over it, so such a run ends when the
 * reservation begins. Most runs are over before their walltime, so it is begun nevertheless; one
 * that begins when the window has begun gives way at once.
 */
final class LateStarts {
  private static final long SECOND_MS = 1000;

  private LateStarts() {}

  /**
   * @param job before its start is known
   * @param beganMs not later than now; when it went on, for one that was suspended before it began
   */
  static void heed(Context c, Job job, long beganMs, Decision decision) {
    long walltimeS = RunWalltimes.of(job);
    boolean ends = walltimeS > 0 && walltimeS <= (Long.MAX_VALUE - beganMs) / SECOND_MS;
    if (!ends || job.getKilling() != KillPurpose.NONE) {
      return;
    }
    long endMs = beganMs + walltimeS * SECOND_MS;
    LateStart late = LateStart.of(c, job, endMs);
    // Walltimes are whole seconds: less than one of them is no reason to end a run earlier.
    if (late == null || endMs - late.fromMs() < SECOND_MS) {
      return;
    }
    long leftS = (late.fromMs() - beganMs) / SECOND_MS;
    if (late.fromMs() <= c.nowMs() || leftS < 1) {
      giveWay(c, job, late, decision);
      return;
    }
    String reservation = late.reservation().getId();
    decision.fact(
        new RunShortened(c.stamp(), job.getId(), job.getRun(), beganMs, leftS, reservation));
    RunLimit.tell(c, job, leftS, decision);
    String text =
        "This run began late: it ends after "
            + leftS
            + " seconds, when "
            + reservation
            + " begins, and not after "
            + walltimeS
            + ".";
    decision.dispatch(Orders.message(c, job, "E", text));
  }

  private static void giveWay(Context c, Job job, LateStart late, Decision decision) {
    String by = "Server@" + c.serverName();
    boolean again = job.getSpec().getRerunnable();
    decision.fact(
        new RunPreempted(
            c.stamp(), job.getId(), job.getRun(), late.reservation().getId(), again, by));
    Orders.kill(c, job, decision);
  }
}
