package io.millrace.schedulers.core.search;

import java.util.Arrays;

/** Number of chunks for which there is additional room over time: the sum of many spans. */
final class ExtraRoom {

  private long[] times = new long[64];
  private int[] changes = new int[64];
  private int size;

  void clear() {
    size = 0;
  }

  void add(long fromMs, long toMs, int chunks) {
    insert(fromMs, chunks);
    insert(toMs, -chunks);
  }

  int size() {
    return size;
  }

  /** Times at which the sum changes, in their order. */
  long timeMs(int index) {
    return times[index];
  }

  int change(int index) {
    return changes[index];
  }

  private void insert(long timeMs, int chunks) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      changes = Arrays.copyOf(changes, 2 * size);
    }
    int at = size++;
    while (at > 0 && times[at - 1] > timeMs) {
      times[at] = times[at - 1];
      changes[at] = changes[at - 1];
      at--;
    }
    times[at] = timeMs;
    changes[at] = chunks;
  }
}
