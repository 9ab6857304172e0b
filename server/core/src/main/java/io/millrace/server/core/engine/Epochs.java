package io.millrace.server.core.engine;

import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.View;

/** Which start of an engine may speak for a scheduler object. */
public final class Epochs {
  /** Epoch of every shadow: nothing it proposes is obeyed. */
  public static final long SHADOW = 0;

  private Epochs() {}

  public static boolean holds(View view, String scheduler, long epoch) {
    Scheduler state = view.schedulers().get(scheduler);
    return state != null && epoch != SHADOW && state.getEpoch() == epoch;
  }
}
