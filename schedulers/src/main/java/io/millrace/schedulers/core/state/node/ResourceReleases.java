package io.millrace.schedulers.core.state.node;

import java.util.Arrays;

/**
 * The allocations with known ends, by end, then by number of chunks. A sorted array: an insertion
 * moves the later ones, which for ten thousand runs is some kilobytes, and walking it is what the
 * look into the future does most.
 */
public final class ResourceReleases {

  private TimedAllocation[] holds = new TimedAllocation[16];
  private int size;
  private long changes;

  /** Version that changes with each change. */
  public long changes() {
    return changes;
  }

  public int size() {
    return size;
  }

  public TimedAllocation get(int index) {
    return holds[index];
  }

  /** Number of allocations that end at a time or before. */
  public int until(long timeMs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds[middle].endMs() <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of allocations that end at a time. */
  public int endingAt(long timeMs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds[middle].endMs() < timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int count = 0;
    while (low + count < size && holds[low + count].endMs() == timeMs) {
      count++;
    }
    return count;
  }

  void add(TimedAllocation hold) {
    changes++;
    if (size == holds.length) {
      holds = Arrays.copyOf(holds, 2 * size);
    }
    int at = position(hold);
    System.arraycopy(holds, at, holds, at + 1, size - at);
    holds[at] = hold;
    size++;
  }

  /**
   * Restores an earlier version number, after a caller has taken an allocation out and put it back
   * unseen.
   */
  void changes(long asBefore) {
    changes = asBefore;
  }

  void remove(TimedAllocation hold) {
    changes++;
    int at = position(hold);
    size--;
    System.arraycopy(holds, at + 1, holds, at, size - at);
    holds[size] = null;
  }

  /** Index of the allocation, or the index at which to insert it. */
  private int position(TimedAllocation hold) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ExpectedEnd.before(holds[middle], hold)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
