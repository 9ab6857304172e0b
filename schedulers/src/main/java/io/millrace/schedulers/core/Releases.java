package io.millrace.schedulers.core;

import java.util.Arrays;

/**
 * The holds whose ends are known, by end, then by number of chunks. A sorted array: an insertion
 * moves the later ones, which for ten thousand runs is some kilobytes, and walking it is what the
 * look into the future does most.
 */
final class Releases {

  private Hold[] holds = new Hold[16];
  private int size;
  private long changes;

  /** A number that is another one after each change. */
  long changes() {
    return changes;
  }

  int size() {
    return size;
  }

  Hold get(int index) {
    return holds[index];
  }

  /** Number of holds that end at a time or before. */
  int until(long timeMs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds[middle].endMs <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of holds that end at a time. */
  int endingAt(long timeMs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds[middle].endMs < timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int count = 0;
    while (low + count < size && holds[low + count].endMs == timeMs) {
      count++;
    }
    return count;
  }

  void add(Hold hold) {
    changes++;
    if (size == holds.length) {
      holds = Arrays.copyOf(holds, 2 * size);
    }
    int at = position(hold);
    System.arraycopy(holds, at, holds, at + 1, size - at);
    holds[at] = hold;
    size++;
  }

  /** Somebody has taken a hold out, and puts it back before anybody else looks. */
  void changes(long asBefore) {
    changes = asBefore;
  }

  void remove(Hold hold) {
    changes++;
    int at = position(hold);
    size--;
    System.arraycopy(holds, at + 1, holds, at, size - at);
    holds[size] = null;
  }

  /** Index of the hold, or where it belongs. */
  private int position(Hold hold) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (before(holds[middle], hold)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The order of ends: by time, then the smaller first, so that a tie is broken the same way
   * everywhere.
   */
  static boolean before(Hold a, Hold b) {
    if (a.endMs != b.endMs) {
      return a.endMs < b.endMs;
    }
    return a.chunks != b.chunks ? a.chunks < b.chunks : a.number < b.number;
  }
}
