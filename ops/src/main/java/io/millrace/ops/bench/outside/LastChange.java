package io.millrace.ops.bench.outside;

import java.util.concurrent.TimeUnit;

/** When something that is looked at has changed last: what goes on is waited for. */
final class LastChange<T> {
  private final long patienceMs;
  private T before;
  private long atNs = System.nanoTime();

  LastChange(long patienceMs) {
    this.patienceMs = patienceMs;
  }

  /** Whether it is the same since longer than it is waited for. */
  boolean isLongAgo(T now) {
    if (!now.equals(before)) {
      before = now;
      atNs = System.nanoTime();
    }
    return System.nanoTime() - atNs > TimeUnit.MILLISECONDS.toNanos(patienceMs);
  }
}
