package io.millrace.schedulers.core.state.promise;

import java.util.Arrays;

/**
 * Why a promised job cannot start before the promised time: a lower bound of the missing chunks as
 * a step function of time. Long histories are kept with fewer steps, which makes the bound looser,
 * never wrong.
 */
public final class Shortfalls {

  private static final int STEPS_MAX = 64;

  private long[] fromMs;
  private int[] missing;
  private int size;

  public Shortfalls() {
    this(STEPS_MAX);
  }

  private Shortfalls(int capacity) {
    fromMs = new long[capacity];
    missing = new int[capacity];
  }

  public int size() {
    return size;
  }

  /**
   * Start of a step. A step holds until the next one; the first also holds for all earlier times.
   */
  public long fromMs(int step) {
    return fromMs[step];
  }

  public int missing(int step) {
    return missing[step];
  }

  public void clear() {
    size = 0;
  }

  /** From this time on at least so many chunks are missing; times must not decrease. */
  public void add(long timeMs, int chunks) {
    if (size > 0 && fromMs[size - 1] == timeMs) {
      missing[size - 1] = Math.min(missing[size - 1], chunks);
      return;
    }
    if (size > 0 && missing[size - 1] == chunks) {
      return;
    }
    if (size == STEPS_MAX) {
      halve();
    }
    fromMs[size] = timeMs;
    missing[size++] = chunks;
  }

  private void halve() {
    for (int i = 0; i < size / 2; i++) {
      fromMs[i] = fromMs[2 * i];
      missing[i] = Math.min(missing[2 * i], missing[2 * i + 1]);
    }
    size /= 2;
  }

  /** A copy that takes no more memory than it needs. */
  Shortfalls copy() {
    Shortfalls copy = new Shortfalls(size);
    System.arraycopy(fromMs, 0, copy.fromMs, 0, size);
    System.arraycopy(missing, 0, copy.missing, 0, size);
    copy.size = size;
    return copy;
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOf(missing, size));
  }
}
