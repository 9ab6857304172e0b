package io.millrace.server.core.parking;

import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides what becomes of commands that waited too long. */
public final class Deciders {

  public Decision parked(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Parking.late(c, timer.getSubject(), decision);
    return decision;
  }
}
