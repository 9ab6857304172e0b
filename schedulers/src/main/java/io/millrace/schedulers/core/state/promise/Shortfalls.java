package io.millrace.schedulers.core.state.promise;

import java.util.Arrays;

/**
 * Why a promised job cannot start before the promised time: how many chunks are missing at the
 * least, from time to time. Of long histories fewer steps are kept; that makes the bound looser,
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

  /** From this time until the next step; the first step holds for all times before, too. */
  public long fromMs(int step) {
    return fromMs[step];
  }

  public int missing(int step) {
    return missing[step];
  }

  public void clear() {
    size = 0;
  }

  /** From a time on, not before the last one that was told, so many chunks are missing. */
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

  /** As it is now, in as little memory as it needs. */
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
