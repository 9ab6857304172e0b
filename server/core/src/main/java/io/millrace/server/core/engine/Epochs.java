package io.millrace.server.core.engine;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.state.View;

/** Epochs of engines: proposals are accepted from the latest start of a scheduler object only. */
public final class Epochs {
  /** Epoch of shadow engines, whose proposals are all refused. */
  public static final long SHADOW = 0;

  private Epochs() {}

  /**
   * Made from the number of the fact that tells the start: it only grows and differs between
   * shards, so that a scheduler object that is deleted and made again gets no epoch twice.
   */
  static long next(View view, FactMeta start) {
    return start.getSeq() * view.shards() + view.shard();
  }

  public static boolean holds(View view, String scheduler, long epoch) {
    Scheduler state = view.schedulers().get(scheduler);
    return state != null && epoch != SHADOW && state.getEpoch() == epoch;
  }
}
