package io.millrace.server.core.engine;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.state.View;

/** Which start of an engine may speak for a scheduler object. */
public final class Epochs {
  /** Epoch of every shadow: nothing it proposes is obeyed. */
  public static final long SHADOW = 0;

  private Epochs() {}

  /**
   * Made from the number of the fact that tells the start: it grows for ever and is no other
   * shard's, so that no epoch comes back when a scheduler object is deleted and made again.
   */
  static long next(View view, FactMeta start) {
    return start.getSeq() * view.shards() + view.shard();
  }

  public static boolean holds(View view, String scheduler, long epoch) {
    Scheduler state = view.schedulers().get(scheduler);
    return state != null && epoch != SHADOW && state.getEpoch() == epoch;
  }
}
