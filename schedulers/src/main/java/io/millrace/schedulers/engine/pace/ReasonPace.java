package io.millrace.schedulers.engine.pace;

import java.util.concurrent.TimeUnit;

/** When reasons may be told again ({@code attr_update_period}): the first ones at once. */
public final class ReasonPace {

  private boolean told;
  private long toldNanos;

  /** Reasons have been told. */
  public void told(long nowNanos) {
    told = true;
    toldNanos = nowNanos;
  }

  /**
   * How long none are told yet; 0 or less when they may be.
   *
   * @param periodS seconds between two times
   */
  public long leftNanos(long nowNanos, long periodS) {
    return told ? TimeUnit.SECONDS.toNanos(periodS) - (nowNanos - toldNanos) : 0;
  }
}
