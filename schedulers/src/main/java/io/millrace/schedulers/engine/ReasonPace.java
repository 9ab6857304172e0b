package io.millrace.schedulers.engine;

import java.util.concurrent.TimeUnit;

/** When reasons may be told again ({@code attr_update_period}): the first ones at once. */
final class ReasonPace {

  private boolean told;
  private long toldNanos;

  /** Reasons have been told. */
  void told(long nowNanos) {
    told = true;
    toldNanos = nowNanos;
  }

  /**
   * How long none are told yet; 0 or less when they may be.
   *
   * @param periodS seconds between two times
   */
  long leftNanos(long nowNanos, long periodS) {
    return told ? TimeUnit.SECONDS.toNanos(periodS) - (nowNanos - toldNanos) : 0;
  }
}
