package io.millrace.schedulers.core.state;

/** The latest time that a state was told: clocks may be set back, what is planned is not. */
public final class LatestTime {

  private long latestMs = Long.MIN_VALUE;

  public long latestMs() {
    return latestMs;
  }

  /** The time that counts for somebody who says that it is {@code nowMs}. */
  public long notBefore(long nowMs) {
    latestMs = Math.max(latestMs, nowMs);
    return latestMs;
  }
}
