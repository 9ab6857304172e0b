package io.millrace.server.core.shard;

import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;

/** Applies the end of timers. */
public final class Appliers {
  public void apply(State state, TimerFired fact) {
    remove(state, fact.getTimer());
  }

  public void apply(State state, TimerFailed fact) {
    Timer timer = fact.getTimer();
    remove(state, timer);
    if (fact.getAgainMs() >= 0) {
      String key = Keys.timer(fact.getAgainMs(), timer.getKind(), timer.getSubject());
      int failures = timer.getFailures() + 1;
      state
          .timers()
          .put(key, new Timer(fact.getAgainMs(), timer.getKind(), timer.getSubject(), failures));
    }
  }

  private static void remove(State state, Timer timer) {
    Timers.remove(state, timer.getDueMs(), timer.getKind(), timer.getSubject());
  }
}
