package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.Arrays;

/**
 * The starts of promises on one node, and what is left of the node at each.
 *
 * <p>Without promises the amount in use on a node only falls with time, since nothing is known of
 * runs that have not begun. So the most that is in use in a window is in use at its beginning, or
 * at the start of a promise within it: nothing else has to be looked at.
 */
public final class NodePromises {

  private static final PlannedStart[] NO_PROMISES = {};
  private static final Sharing[] NO_SHARINGS = {};
  private static final long[] NO_TIMES = {};
  private static final long[][] NO_AMOUNTS = {};

  private PlannedStart[] promises = NO_PROMISES;

  /** Starts and ends of the promises again as plain arrays, because they are walked often. */
  private long[] froms = NO_TIMES;

  private long[] tos = NO_TIMES;

  /** How each promised job shares the node. */
  private Sharing[] sharings = NO_SHARINGS;

  /** What is left of the node at the start of each promise, by resource number. */
  private long[][] left = NO_AMOUNTS;

  /** What each promise takes of the node, by resource number. */
  private long[][] amounts = NO_AMOUNTS;

  private int size;

  /** Scratch: the least that promises leave of each resource of a kind. */
  private long[] leasts = NO_TIMES;

  /** Number of promises that have the node or its host exclusively. */
  private int alone;

  public boolean isEmpty() {
    return size == 0;
  }

  boolean sharedOnly() {
    return alone == 0;
  }

  public int size() {
    return size;
  }

  /** Start of a promise. */
  public long fromMs(int index) {
    return froms[index];
  }

  /** End of a promise. */
  public long toMs(int index) {
    return tos[index];
  }

  /** What is left of the node at the start of a promise; not to be kept. */
  public long[] left(int index) {
    return left[index];
  }

  /**
   * Adds a promise.
   *
   * @param taken what it takes of the node
   * @param leftThen what is left of the node at its start
   */
  public void add(PlannedStart promise, Sharing sharing, long[] taken, long[] leftThen) {
    if (size == promises.length) {
      int capacity = Math.max(2, 2 * size);
      promises = Arrays.copyOf(promises, capacity);
      froms = Arrays.copyOf(froms, capacity);
      tos = Arrays.copyOf(tos, capacity);
      sharings = Arrays.copyOf(sharings, capacity);
      left = Arrays.copyOf(left, capacity);
      amounts = Arrays.copyOf(amounts, capacity);
    }
    promises[size] = promise;
    froms[size] = promise.fromMs();
    tos[size] = promise.toMs();
    sharings[size] = sharing;
    left[size] = leftThen;
    amounts[size] = taken;
    size++;
    alone += sharings[size - 1] == Sharing.SHARED ? 0 : 1;
  }

  /** Removes a promise and returns what was left of the node at its start. */
  public long[] remove(PlannedStart promise) {
    int index = 0;
    while (promises[index] != promise) {
      index++;
    }
    long[] leftThen = left[index];
    size--;
    alone -= sharings[index] == Sharing.SHARED ? 0 : 1;
    promises[index] = promises[size];
    froms[index] = froms[size];
    tos[index] = tos[size];
    sharings[index] = sharings[size];
    left[index] = left[size];
    amounts[index] = amounts[size];
    promises[size] = null;
    left[size] = null;
    amounts[size] = null;
    return leftThen;
  }

  /**
   * An allocation takes these amounts in the time span, or (sign -1) gives them back.
   *
   * @return true when a promise that starts within it may no longer hold
   */
  public boolean occupy(long fromMs, long toMs, long[] taken, int sign) {
    boolean broken = false;
    for (int i = 0; i < size; i++) {
      long start = froms[i];
      if (start < fromMs || start >= toMs) {
        continue;
      }
      broken |= sign > 0 && sharings[i] != Sharing.SHARED;
      if (left[i].length < taken.length) {
        // Grown by resources that were first seen later; a node that has some of them was read
        // again.
        left[i] = Arrays.copyOf(left[i], taken.length);
      }
      long[] rest = left[i];
      for (int resource = 0; resource < taken.length; resource++) {
        rest[resource] -= sign * taken[resource];
        broken |= sign > 0 && rest[resource] < 0;
      }
    }
    return broken;
  }

  /** Counts the exclusive promises again after the sharing of the node has changed. */
  void recount(int nodeId) {
    alone = 0;
    for (int i = 0; i < size; i++) {
      sharings[i] = promises[i].sharingOn(nodeId);
      alone += sharings[i] == Sharing.SHARED ? 0 : 1;
    }
  }

  /** Amount of a resource that promises hold at a time. */
  public long active(int resource, long timeMs) {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      if (froms[i] <= timeMs && timeMs < tos[i]) {
        sum += ResourceNames.at(amounts[i], resource);
      }
    }
    return sum;
  }

  /** Number of promises that have begun at a time and not ended. */
  public int active(long timeMs) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      count += froms[i] <= timeMs && timeMs < tos[i] ? 1 : 0;
    }
    return count;
  }

  /**
   * Number of promises, begun at a time and not ended, that have the node (or the host)
   * exclusively.
   */
  public int activeAlone(long timeMs, boolean hostOnly) {
    if (alone == 0) {
      return 0;
    }
    int count = 0;
    for (int i = 0; i < size; i++) {
      Sharing sharing = sharings[i];
      boolean wanted = hostOnly ? sharing == Sharing.EXCLHOST : sharing != Sharing.SHARED;
      boolean now = froms[i] <= timeMs && timeMs < tos[i];
      count += wanted && now ? 1 : 0;
    }
    return count;
  }

  /** Marks every promise on the node to be checked again. */
  void suspect() {
    for (int i = 0; i < size; i++) {
      promises[i].suspect();
    }
  }

  /**
   * True when a job with this sharing may be on the node together with the promises that start in
   * the window.
   */
  public boolean open(Sharing sharing, long afterMs, long endMs) {
    if (alone == 0 && sharing == Sharing.SHARED) {
      return true;
    }
    for (int i = 0; i < size; i++) {
      if (froms[i] > afterMs
          && froms[i] < endMs
          && (sharing != Sharing.SHARED || sharings[i] != Sharing.SHARED)) {
        return false;
      }
    }
    return true;
  }

  /** True when a promise begins at or after a time and before another. */
  public boolean anyStartsIn(long fromMs, long toMs) {
    for (int i = 0; i < size; i++) {
      if (froms[i] >= fromMs && froms[i] < toMs) {
        return true;
      }
    }
    return false;
  }

  /** Chunks for which every promise that starts in (afterMs, endMs) leaves room. */
  public int room(ChunkKind kind, int most, long afterMs, long endMs) {
    long[] least = least(kind.resources().length);
    for (int i = 0; i < size; i++) {
      if (froms[i] > afterMs && froms[i] < endMs && !lower(least, kind, left[i])) {
        return 0;
      }
    }
    return kind.howManyOf(least, most);
  }

  /** Scratch array with unlimited amounts to start from; not to be kept. */
  private long[] least(int resources) {
    if (leasts.length < resources) {
      leasts = new long[resources];
    }
    Arrays.fill(leasts, 0, resources, Long.MAX_VALUE);
    return leasts;
  }

  /** Lowers each least amount to what a promise leaves; false when one chunk no longer fits. */
  private static boolean lower(long[] least, ChunkKind kind, long[] amounts) {
    int[] resources = kind.resources();
    for (int k = 0; k < resources.length; k++) {
      long there = ResourceNames.at(amounts, resources[k]);
      if (there < least[k]) {
        if (there < kind.amounts()[k]) {
          return false;
        }
        least[k] = there;
      }
    }
    return true;
  }

  /**
   * Chunks that a node can take from a time until another.
   *
   * @param rest amounts of the kind's resources that are left at the beginning, promises not
   *     counted; the array is changed
   */
  public int roomFrom(ChunkKind kind, long[] rest, int most, long atMs, long endMs) {
    int[] resources = kind.resources();
    long[] least = least(resources.length);
    for (int i = 0; i < size; i++) {
      if (froms[i] > atMs) {
        if (froms[i] < endMs && !lower(least, kind, left[i])) {
          return 0;
        }
      } else if (atMs < tos[i]) {
        for (int k = 0; k < resources.length; k++) {
          rest[k] -= ResourceNames.at(amounts[i], resources[k]);
        }
      }
    }
    for (int k = 0; k < resources.length; k++) {
      rest[k] = Math.min(rest[k], least[k]);
    }
    return kind.howManyOf(rest, most);
  }

  /** The earliest promise, by time and job, that starts in the window; null when none does. */
  public PlannedStart first(long afterMs, long endMs) {
    PlannedStart first = null;
    for (int i = 0; i < size; i++) {
      PlannedStart it = promises[i];
      if (it.fromMs() > afterMs
          && it.fromMs() < endMs
          && (first == null || PlannedStart.before(it, first))) {
        first = it;
      }
    }
    return first;
  }
}
