package io.millrace.server.core.shard;

import io.millrace.schemas.command.Tick;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides ticks. */
public final class Deciders {

  /** Nothing to decide: timers that are due were decided before the command. */
  public Decision decide(Context c, Tick command) {
    return Decision.none();
  }
}
