package io.millrace.server.core.job.purge;

import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides when finished jobs are forgotten. */
public final class Deciders {

  public Decision purge(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Purge.due(c, timer.getSubject(), decision);
    return decision;
  }
}
