package io.millrace.server.core.run.missing;

import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.run.finished.Ends;
import io.millrace.server.core.run.grant.Orders;

/** Decides what becomes of a run that its host does not know. */
public final class Deciders {
  /** PBS's JOB_EXEC_INITABT: the host knows nothing of the run. */
  public static final int UNKNOWN = -4;

  /**
   * The same run is not ordered again: should the host be wrong after all, the next run has another
   * number, and the executor ends an earlier one when it hears of a later.
   */
  public Decision decide(Context c, ReportRunMissing command) {
    Decision decision = Decision.none();
    Job job = Ends.current(c, command.getJobId(), command.getRun());
    if (job == null) {
      return decision;
    }
    String why = "host " + command.getHost() + " has no such run";
    boolean begun = job.getSessionId() != 0;
    boolean again =
        switch (job.getKilling()) {
          case RERUN -> true;
          case DELETE -> false;
          case NONE -> !begun || job.getSpec().getRerunnable();
        };
    if (again) {
      boolean lost = !begun && job.getKilling() == KillPurpose.NONE;
      Ends.requeue(c, job, UNKNOWN, lost ? "never started: " + why : why, decision);
    } else {
      Ends.unknown(c, job, UNKNOWN, why, decision);
    }
    Ends.leave(c, job, again, decision);
    if (tookOver(c, job)) {
      // Whatever the administrator said of the earlier executor: if it lives, its run must end.
      decision.dispatch(Orders.kill(c, job.getId(), job.getRun(), command.getHost()));
    }
    return decision;
  }

  private static boolean tookOver(Context c, Job job) {
    Node node = c.view().nodes().get(job.getAllocation().getShares().get(0).getNode());
    return node != null && node.getIncarnation() > 1;
  }
}
