package io.millrace.server.core.shard;

import io.millrace.schemas.fact.ClockSetBack;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.handover.FormerQueues;
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

  /**
   * The shard's time has been set back already. What waits for a length of time keeps what is left
   * of it; what waits for a time of the day or for the end of a job's history does not move.
   */
  public void apply(State state, ClockSetBack fact) {
    long toMs = fact.getMeta().getAtMs();
    long byMs = fact.getFromMs() - toMs;
    AnswerMemory.setBack(state, fact.getFromMs(), toMs);
    FormerQueues.setBack(state, byMs);
    io.millrace.server.core.handover.Appliers.setBack(state, byMs);
    io.millrace.server.core.admission.Appliers.setBack(state, byMs);
    io.millrace.server.core.cluster.Appliers.setBack(state, byMs);
    io.millrace.server.core.job.route.Appliers.setBack(state, byMs);
    io.millrace.server.core.parking.Appliers.setBack(state, byMs);
    io.millrace.server.core.reservation.Appliers.setBack(state, byMs);
    io.millrace.server.core.reservation.whole.Appliers.setBack(state, byMs);
  }

  private static void remove(State state, Timer timer) {
    Timers.remove(state, timer.getDueMs(), timer.getKind(), timer.getSubject());
  }
}
