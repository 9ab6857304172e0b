package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ResourceNames;
import java.util.Arrays;

/**
 * What reservations have booked of one node over the time to come.
 *
 * <p>Simple semantics: a sum of bookings, each of an amount of some resources from one time to
 * another. It is kept as steps in sorted arrays; only resources of which anything is booked have a
 * column. A window is looked up by binary search and costs the steps within it, however many
 * bookings there are.
 */
public final class BookingProfile {

  /** Most bookings of one node: the shard refuses more, so decisions pass over such a node. */
  public static final int BOOKINGS_MAX = 10_000;

  /** The profile of a node of which nothing is booked; never changed. */
  static final BookingProfile NONE = new BookingProfile();

  private static final int[] NO_RESOURCES = {};
  private static final int FIRST_CAPACITY = 4;

  /** Numbers of the resources that are booked, in the order in which they were first booked. */
  private int[] resources = NO_RESOURCES;

  /** Step i holds from times[i] up to times[i + 1]; the last one holds nothing. */
  private long[] times = {};

  /** What is booked in step i of resource k: amounts[i * resources.length + k]. */
  private long[] amounts = {};

  /** How many bookings there are in a step, and how many of them have the node alone. */
  private short[] counts = {};

  private short[] alone = {};

  private int size;
  private int bookings;

  /** How many of the bookings have the node alone. */
  private int aloneBookings;

  public boolean isEmpty() {
    return bookings == 0;
  }

  /** True when no further booking may be added. */
  public boolean isFull() {
    return bookings >= BOOKINGS_MAX;
  }

  public int bookings() {
    return bookings;
  }

  /** Beginning of the first booking; {@link Long#MAX_VALUE} when there is none. */
  public long firstMs() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** End of the last booking; {@link Long#MIN_VALUE} when there is none. */
  public long lastEndMs() {
    return size == 0 ? Long.MIN_VALUE : times[size - 1];
  }

  /** Number of resources of which anything is booked. */
  public int width() {
    return resources.length;
  }

  /** Number of a resource by its column. */
  public int resource(int column) {
    return resources[column];
  }

  public int steps() {
    return size;
  }

  /** Time at which a step begins. */
  public long timeMs(int step) {
    return times[step];
  }

  /** Amount of a column's resource that is booked in a step. */
  public long booked(int step, int column) {
    return amounts[step * resources.length + column];
  }

  /** Bookings in a step. */
  public int count(int step) {
    return counts[step];
  }

  /** Index of the step in which a time lies; -1 before the first. */
  public int stepAt(long timeMs) {
    int found = Arrays.binarySearch(times, 0, size, timeMs);
    return found >= 0 ? found : -found - 2;
  }

  /** True when nothing at all is booked in the window. */
  public boolean freeIn(long fromMs, long toMs) {
    if (size == 0 || times[0] >= toMs || times[size - 1] <= fromMs) {
      return true;
    }
    for (int i = Math.max(0, stepAt(fromMs)); i < size && times[i] < toMs; i++) {
      if (counts[i] > 0) {
        return false;
      }
    }
    return true;
  }

  /** True when a booking has the node alone at any time of the window. */
  public boolean aloneIn(long fromMs, long toMs) {
    if (aloneBookings == 0) {
      return false;
    }
    for (int i = Math.max(0, stepAt(fromMs)); i < size && times[i] < toMs; i++) {
      if (alone[i] > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds a booking, or (sign -1) takes away one that was added. An empty window changes nothing.
   *
   * @param taken amounts by resource number
   * @param exclusive true when nobody else may be on the node
   */
  void book(long fromMs, long toMs, long[] taken, boolean exclusive, int sign) {
    if (toMs <= fromMs) {
      return;
    }
    columns(taken);
    int first = split(fromMs);
    int last = split(toMs);
    int width = resources.length;
    for (int i = first; i < last; i++) {
      for (int k = 0; k < width; k++) {
        amounts[i * width + k] += sign * ResourceNames.at(taken, resources[k]);
      }
      counts[i] += (short) sign;
      alone[i] += (short) (exclusive ? sign : 0);
    }
    bookings += sign;
    aloneBookings += exclusive ? sign : 0;
    join(last);
    join(first);
    shrink();
  }

  /** Gives each resource of which anything is taken a column. */
  private void columns(long[] taken) {
    for (int resource = 0; resource < taken.length; resource++) {
      if (taken[resource] != 0 && !has(resource)) {
        int width = resources.length;
        resources = Arrays.copyOf(resources, width + 1);
        resources[width] = resource;
        long[] wider = new long[times.length * (width + 1)];
        for (int i = 0; i < size; i++) {
          System.arraycopy(amounts, i * width, wider, i * (width + 1), width);
        }
        amounts = wider;
      }
    }
  }

  private boolean has(int resource) {
    for (int known : resources) {
      if (known == resource) {
        return true;
      }
    }
    return false;
  }

  /** Makes a step begin at a time and returns its index. */
  private int split(long timeMs) {
    int before = stepAt(timeMs);
    if (before >= 0 && times[before] == timeMs) {
      return before;
    }
    if (size == times.length) {
      resize(size == 0 ? FIRST_CAPACITY : size + (size >> 2) + 2);
    }
    int at = before + 1;
    move(at, at + 1);
    size++;
    times[at] = timeMs;
    int width = resources.length;
    if (before >= 0) {
      System.arraycopy(amounts, before * width, amounts, at * width, width);
      counts[at] = counts[before];
      alone[at] = alone[before];
    } else {
      Arrays.fill(amounts, at * width, (at + 1) * width, 0);
      counts[at] = 0;
      alone[at] = 0;
    }
    return at;
  }

  /** Removes a step in which the same is booked as in the one before. */
  private void join(int step) {
    int width = resources.length;
    for (int k = 0; k < width; k++) {
      if (amounts[step * width + k] != (step == 0 ? 0 : amounts[(step - 1) * width + k])) {
        return;
      }
    }
    boolean same =
        step == 0
            ? counts[0] == 0
            : counts[step] == counts[step - 1] && alone[step] == alone[step - 1];
    if (same) {
      move(step + 1, step);
      size--;
    }
  }

  private void move(int from, int to) {
    int width = resources.length;
    int steps = size - from;
    System.arraycopy(times, from, times, to, steps);
    System.arraycopy(amounts, from * width, amounts, to * width, steps * width);
    System.arraycopy(counts, from, counts, to, steps);
    System.arraycopy(alone, from, alone, to, steps);
  }

  private void resize(int capacity) {
    times = Arrays.copyOf(times, capacity);
    amounts = Arrays.copyOf(amounts, capacity * resources.length);
    counts = Arrays.copyOf(counts, capacity);
    alone = Arrays.copyOf(alone, capacity);
  }

  /** Gives memory back when most of it is no longer used. */
  private void shrink() {
    if (bookings == 0) {
      size = 0;
      resources = NO_RESOURCES;
      resize(0);
    } else if (times.length > 4 * size) {
      resize(2 * size);
    }
  }
}
