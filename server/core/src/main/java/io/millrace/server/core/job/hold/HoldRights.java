package io.millrace.server.core.job.hold;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Holds;

/** Who may set and release which holds. */
public final class HoldRights {
  private HoldRights() {}

  /** Why the caller may not set or release these holds; null when he may. */
  public static PbsError refusal(Context c, String holds) {
    if (!Holds.valid(holds)) {
      return PbsError.ILLEGAL_VALUE;
    }
    boolean allowed =
        (holds.indexOf('o') < 0 || c.isOperator()) && (holds.indexOf('s') < 0 || c.isManager());
    return allowed ? null : PbsError.UNAUTHORIZED;
  }
}
