package io.millrace.server.core.shard;

import io.millrace.schemas.command.Tick;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Lets time pass. */
public final class Deciders {

  /** Timers were fired before the decision: there is nothing left to do. */
  public Decision decide(Context c, Tick command) {
    return Decision.none();
  }
}
