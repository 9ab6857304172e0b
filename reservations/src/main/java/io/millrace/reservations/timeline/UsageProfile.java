package io.millrace.reservations.timeline;

import java.util.Arrays;

/**
 * Amount of one consumable in use over time: a step function in two sorted arrays.
 *
 * <p>Simple semantics: a sum of debits. Steps are found by binary search; a debit moves the steps
 * behind it, which for the thousands of steps of a large cluster is one copy of memory.
 * Neighbouring steps always differ, so the size is bounded by twice the number of debits.
 */
public final class UsageProfile {

  /** End of a use whose end is unknown. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** Result of a search that finds no time. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int FIRST_CAPACITY = 8;

  /** Step i holds from times[i] up to times[i + 1]; the first from the beginning of time. */
  private long[] times = new long[FIRST_CAPACITY];

  private long[] used = new long[FIRST_CAPACITY];
  private int size = 1;

  /** A profile without any use. */
  public UsageProfile() {
    times[0] = Long.MIN_VALUE;
  }

  private UsageProfile(UsageProfile other) {
    times = Arrays.copyOf(other.times, other.size);
    used = Arrays.copyOf(other.used, other.size);
    size = other.size;
  }

  /** A copy that can be changed independently. */
  public UsageProfile copy() {
    return new UsageProfile(this);
  }

  /** Number of steps, at least 1. */
  public int steps() {
    return size;
  }

  /** Time at which step {@code index} begins; the first begins at {@link Long#MIN_VALUE}. */
  public long time(int index) {
    return times[index];
  }

  /** Amount in use in step {@code index}. */
  public long used(int index) {
    return used[index];
  }

  /** Index of the step in which a time lies. */
  public int stepAt(long time) {
    int found = Arrays.binarySearch(times, 0, size, time);
    return found >= 0 ? found : -found - 2;
  }

  /** Amount in use at a time. */
  public long at(long time) {
    return used[stepAt(time)];
  }

  /**
   * Adds an amount to [from, to). An empty interval changes nothing.
   *
   * @param to {@link #FOREVER} when no end is known
   * @param amount may be negative, see {@link #release}
   */
  public void debit(long from, long to, long amount) {
    if (amount == 0 || to <= from) {
      return;
    }
    int first = split(from);
    int last = to == FOREVER ? size : split(to);
    for (int i = first; i < last; i++) {
      used[i] += amount;
    }
    // Only the steps at the two borders can now equal their neighbours.
    if (last < size) {
      join(last);
    }
    join(first);
  }

  /**
   * Takes back an amount that was debited to [from, to), or the part of that interval that is still
   * to come.
   */
  public void release(long from, long to, long amount) {
    debit(from, to, -amount);
  }

  /** Most that is in use at any time of [from, to); 0 for an empty interval. */
  public long max(long from, long to) {
    if (to <= from) {
      return 0;
    }
    int step = stepAt(from);
    long most = used[step];
    for (int i = step + 1; i < size && times[i] < to; i++) {
      most = Math.max(most, used[i]);
    }
    return most;
  }

  /**
   * Earliest start at or after {@code from} such that at most {@code limit} is in use over all of
   * [start, start + duration); {@link #NEVER} when there is none.
   *
   * @param duration {@link #FOREVER} when no end is known; a duration of 0 or less asks for one
   *     unit
   * @param limit capacity less what the newcomer needs
   */
  public long earliest(long from, long duration, long limit) {
    long length = Math.max(1, duration);
    long start = from;
    for (int i = stepAt(from); i < size; i++) {
      if (used[i] > limit) {
        if (i + 1 == size) {
          return NEVER;
        }
        start = times[i + 1];
      } else if (i + 1 == size || times[i + 1] >= end(start, length)) {
        return start;
      }
    }
    return NEVER;
  }

  /**
   * Time from which on at most {@code limit} is in use: the end of the last step above it.
   *
   * @return {@link Long#MIN_VALUE} when the limit is never exceeded; {@link #NEVER} when it is
   *     exceeded at the end
   */
  public long neverAbove(long limit) {
    for (int i = size - 1; i >= 0; i--) {
      if (used[i] > limit) {
        return i + 1 == size ? NEVER : times[i + 1];
      }
    }
    return Long.MIN_VALUE;
  }

  /**
   * Drops the history before a time: the amount in use at that time then holds for all earlier
   * times.
   */
  public void trim(long before) {
    int first = stepAt(before);
    if (first > 0) {
      System.arraycopy(times, first, times, 0, size - first);
      System.arraycopy(used, first, used, 0, size - first);
      size -= first;
      times[0] = Long.MIN_VALUE;
    }
  }

  /** Removes all use. */
  public void clear() {
    size = 1;
    used[0] = 0;
  }

  /** End of an interval; {@link #FOREVER} instead of an overflow. */
  public static long end(long start, long duration) {
    long end = start + duration;
    return duration == FOREVER || end < start && duration > 0 ? FOREVER : end;
  }

  /** Makes a step begin at a time and returns its index. */
  private int split(long time) {
    int step = stepAt(time);
    if (times[step] == time) {
      return step;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      used = Arrays.copyOf(used, 2 * size);
    }
    System.arraycopy(times, step + 1, times, step + 2, size - step - 1);
    System.arraycopy(used, step + 1, used, step + 2, size - step - 1);
    size++;
    times[step + 1] = time;
    used[step + 1] = used[step];
    return step + 1;
  }

  /** Merges a step with the one before it when both are equal. */
  private void join(int step) {
    if (step > 0 && used[step] == used[step - 1]) {
      System.arraycopy(times, step + 1, times, step, size - step - 1);
      System.arraycopy(used, step + 1, used, step, size - step - 1);
      size--;
    }
  }

  /** Steps as {@code 0 100:4 160:0}: the amount at the beginning of time, then each change. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(used[0]);
    for (int i = 1; i < size; i++) {
      text.append(' ').append(times[i]).append(':').append(used[i]);
    }
    return text.toString();
  }
}
