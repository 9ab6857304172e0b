package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.schemas.attributes.NodeSharing;
import java.util.Arrays;

/**
 * The runs on one node whose ends are known, in the order of {@link Releases}, and how much more
 * than now is free after each: what is free at a later time is found without going through what
 * happens until then.
 */
final class NodeReleases {

  private static final Hold[] NO_HOLDS = {};
  private static final long[][] NO_AMOUNTS = {};

  private Hold[] holds = NO_HOLDS;

  /** Sums up to and including each hold, by resource number. */
  private long[][] freed = NO_AMOUNTS;

  private int size;

  void add(Hold hold, long[] amounts) {
    if (size == holds.length) {
      int capacity = size == 0 ? 2 : size + (size >> 1) + 1;
      holds = Arrays.copyOf(holds, capacity);
      freed = Arrays.copyOf(freed, capacity);
    }
    int at = position(hold);
    System.arraycopy(holds, at, holds, at + 1, size - at);
    System.arraycopy(freed, at, freed, at + 1, size - at);
    holds[at] = hold;
    freed[at] = at == 0 ? new long[amounts.length] : freed[at - 1].clone();
    size++;
    for (int i = at; i < size; i++) {
      freed[i] = plus(freed[i], amounts, 1);
    }
  }

  void remove(Hold hold, long[] amounts) {
    int at = position(hold);
    size--;
    System.arraycopy(holds, at + 1, holds, at, size - at);
    System.arraycopy(freed, at + 1, freed, at, size - at);
    holds[size] = null;
    freed[size] = null;
    for (int i = at; i < size; i++) {
      freed[i] = plus(freed[i], amounts, -1);
    }
  }

  int size() {
    return size;
  }

  Hold get(int index) {
    return holds[index];
  }

  /**
   * Number of runs that have ended at a time.
   *
   * @param last of those that end in that instant only the ones up to this count; null for all
   */
  int passed(long timeMs, Hold last) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      Hold hold = holds[middle];
      boolean over =
          hold.endMs < timeMs
              || hold.endMs == timeMs && (last == null || !Releases.before(last, hold));
      if (over) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What the first so many, at least one, give back; not to be kept. */
  long[] freed(int passed) {
    return freed[passed - 1];
  }

  /** How many of the first ones have the node to themselves, if it shares so. */
  int alone(int passed, NodeSharing here) {
    int count = 0;
    for (int i = 0; i < passed; i++) {
      count += holds[i].held.asked().on(here) == Sharing.SHARED ? 0 : 1;
    }
    return count;
  }

  /** How many of the first ones have the host to themselves, if the node shares so. */
  int hostAlone(int passed, NodeSharing here) {
    int count = 0;
    for (int i = 0; i < passed; i++) {
      count += holds[i].held.asked().on(here) == Sharing.EXCLHOST ? 1 : 0;
    }
    return count;
  }

  private static long[] plus(long[] sum, long[] amounts, int sign) {
    long[] all = sum.length < amounts.length ? Arrays.copyOf(sum, amounts.length) : sum;
    for (int resource = 0; resource < amounts.length; resource++) {
      all[resource] += sign * amounts[resource];
    }
    return all;
  }

  /** Index of the hold, or where it belongs. */
  private int position(Hold hold) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Releases.before(holds[middle], hold)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
