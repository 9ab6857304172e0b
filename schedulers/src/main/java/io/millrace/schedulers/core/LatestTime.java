package io.millrace.schedulers.core;

/** The latest time that a state was told: clocks may be set back, what is planned is not. */
final class LatestTime {

  private long latestMs = Long.MIN_VALUE;

  long latestMs() {
    return latestMs;
  }

  /** The time that counts for somebody who says that it is {@code nowMs}. */
  long notBefore(long nowMs) {
    latestMs = Math.max(latestMs, nowMs);
    return latestMs;
  }
}
