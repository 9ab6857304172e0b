package io.millrace.server.core.work;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/**
 * Ends a run whose host is not heard (-W force of qdel and qrerun). While the host is heard, the
 * run ends in the usual way.
 */
public final class ForcedEnd {
  /** The cursor's last word when nothing of the run was ended yet. */
  public static final String FIRST = "first";

  /** Name of the work; its cursor is a job, its run, and whether its tasks were ended already. */
  private static final String WORK = "forced-end";

  private ForcedEnd() {}

  public static void ask(Context c, Job job, Decision decision) {
    ask(c, job, FIRST, decision);
  }

  public static void ask(Context c, Job job, String turn, Decision decision) {
    decision.goOn(c, WORK, job.getId() + " " + job.getRun() + " " + turn);
  }
}
