package io.millrace.schedulers.core.state;

/**
 * Clock that never goes back: the latest time that the state was told. The system clock may be set
 * back, but plans are not moved for that.
 */
public final class LatestTime {

  private long latestMs = Long.MIN_VALUE;

  public long latestMs() {
    return latestMs;
  }

  /** The later one of {@code nowMs} and the latest time told before. */
  public long notBefore(long nowMs) {
    latestMs = Math.max(latestMs, nowMs);
    return latestMs;
  }
}
