package io.millrace.schedulers.engine.pace;

import java.util.concurrent.TimeUnit;

/**
 * Puts a cycle off when only jobs were submitted ({@code job_accumulation_time}), so that more can
 * join; anything else starts a cycle at once.
 */
public final class Accumulation {

  private boolean delayed;
  private long notBeforeNanos;

  /** A cycle need not wait any longer. */
  public void over() {
    delayed = false;
  }

  /**
   * Jobs were submitted and nothing else has happened.
   *
   * @param seconds by how much a cycle is put off
   */
  public void begin(long nowNanos, long seconds) {
    if (!delayed) {
      delayed = true;
      notBeforeNanos = nowNanos + TimeUnit.SECONDS.toNanos(seconds);
    }
  }

  /** Ends when its time is over. */
  public void timers(long nowNanos) {
    if (delayed && notBeforeNanos - nowNanos <= 0) {
      delayed = false;
    }
  }

  public boolean mayBegin(long nowNanos) {
    return !delayed || notBeforeNanos - nowNanos <= 0;
  }

  /** Nanoseconds until a cycle may begin; {@code otherwise} when none is put off. */
  public long nanosToEnd(long nowNanos, long otherwise) {
    return delayed ? Math.min(otherwise, notBeforeNanos - nowNanos) : otherwise;
  }
}
