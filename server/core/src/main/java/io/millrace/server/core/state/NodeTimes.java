package io.millrace.server.core.state;

import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.NodeBooking;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is booked of one node: its bookings in the order of their keys, which is that of their first
 * starts. Never changed: whoever has it sees no change.
 *
 * <p>Simple semantics: a walk over all of them. To find those of a window, each knows until when
 * those of its part of the list last: the list is a balanced tree whose root is the middle one. A
 * changed list is made anew, in one go over arrays of numbers.
 */
final class NodeTimes {
  static final NodeTimes NONE = new NodeTimes(List.of());

  /**
   * Where a booking stands among those of its node.
   *
   * @param timeMs its first start, as the key has it
   * @param held whether it is that of an open transaction
   */
  record BookingPlace(long timeMs, long number, boolean held) {}

  private final NodeBooking[] bookings;
  private final boolean[] held;
  private final long[] startsMs;
  private final long[] endsMs;

  /** When the last one ends of the part of the list that each is in the middle of. */
  private final long[] lastEndsMs;

  /** Number of the times of all of them. */
  private final int count;

  /**
   * Of bookings of reservations, none of which an open transaction holds.
   *
   * @param all in the order of their keys
   */
  NodeTimes(List<NodeBooking> all) {
    int size = all.size();
    bookings = all.toArray(NodeBooking[]::new);
    held = new boolean[size];
    startsMs = new long[size];
    endsMs = new long[size];
    int sum = 0;
    for (int i = 0; i < size; i++) {
      startsMs[i] = bookings[i].getStartMs();
      endsMs[i] = BookingTimes.lastEndMs(bookings[i]);
      sum += BookingTimes.count(bookings[i]);
    }
    count = sum;
    lastEndsMs = new long[size];
    end(0, size);
  }

  /** A copy with a gap at an index, or without what is there. */
  private NodeTimes(NodeTimes before, int at, int by, NodeBooking booking, boolean isHeld) {
    int size = before.bookings.length + by;
    bookings = Arrays.copyOf(before.bookings, size);
    held = Arrays.copyOf(before.held, size);
    startsMs = Arrays.copyOf(before.startsMs, size);
    endsMs = Arrays.copyOf(before.endsMs, size);
    if (by != 0) {
      int from = by > 0 ? at : at + 1;
      int rest = before.bookings.length - from;
      System.arraycopy(before.bookings, from, bookings, from + by, rest);
      System.arraycopy(before.held, from, held, from + by, rest);
      System.arraycopy(before.startsMs, from, startsMs, from + by, rest);
      System.arraycopy(before.endsMs, from, endsMs, from + by, rest);
    }
    int gone = by > 0 ? 0 : BookingTimes.count(before.bookings[at]);
    int come = 0;
    if (booking != null) {
      come = BookingTimes.count(booking);
      bookings[at] = booking;
      held[at] = isHeld;
      startsMs[at] = booking.getStartMs();
      endsMs[at] = BookingTimes.lastEndMs(booking);
    }
    count = before.count - gone + come;
    lastEndsMs = new long[size];
    end(0, size);
  }

  private long end(int from, int to) {
    if (from == to) {
      return Long.MIN_VALUE;
    }
    int middle = (from + to) >>> 1;
    long lastMs = Math.max(end(from, middle), end(middle + 1, to));
    lastEndsMs[middle] = Math.max(lastMs, endsMs[middle]);
    return lastEndsMs[middle];
  }

  int size() {
    return bookings.length;
  }

  /** Number of the times of all of them. */
  int count() {
    return count;
  }

  NodeBooking booking(int index) {
    return bookings[index];
  }

  boolean isHeld(int index) {
    return held[index];
  }

  private int compare(int index, BookingPlace place) {
    int order = Long.compare(Keys.timeOfKey(startsMs[index]), place.timeMs());
    order = order == 0 ? Long.compare(bookings[index].getNumber(), place.number()) : order;
    return order == 0 ? Boolean.compare(held[index], place.held()) : order;
  }

  /** Its index; where there is none, minus one and minus the index at which it would be. */
  int find(BookingPlace place) {
    int low = 0;
    int high = bookings.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, place);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -low - 1;
  }

  NodeTimes with(BookingPlace place, NodeBooking booking) {
    int found = find(place);
    return found >= 0
        ? new NodeTimes(this, found, 0, booking, place.held())
        : new NodeTimes(this, -found - 1, 1, booking, place.held());
  }

  NodeTimes without(BookingPlace place) {
    int found = find(place);
    return found >= 0 ? new NodeTimes(this, found, -1, null, false) : this;
  }

  void within(long fromMs, long toMs, Consumer<NodeBooking> visitor) {
    within(0, bookings.length, fromMs, toMs, visitor);
  }

  private void within(int from, int to, long fromMs, long toMs, Consumer<NodeBooking> visitor) {
    int middle = (from + to) >>> 1;
    if (from == to || lastEndsMs[middle] <= fromMs) {
      return;
    }
    within(from, middle, fromMs, toMs, visitor);
    if (startsMs[middle] < toMs) {
      if (meets(middle, fromMs, toMs)) {
        visitor.accept(bookings[middle]);
      }
      within(middle + 1, to, fromMs, toMs, visitor);
    }
  }

  private boolean meets(int index, long fromMs, long toMs) {
    return endsMs[index] > fromMs && BookingTimes.meets(bookings[index], fromMs, toMs);
  }

  boolean anyWithin(long fromMs, long toMs) {
    return anyWithin(0, bookings.length, fromMs, toMs);
  }

  private boolean anyWithin(int from, int to, long fromMs, long toMs) {
    int middle = (from + to) >>> 1;
    if (from == to || lastEndsMs[middle] <= fromMs) {
      return false;
    }
    boolean before = startsMs[middle] < toMs;
    return before && meets(middle, fromMs, toMs)
        || anyWithin(from, middle, fromMs, toMs)
        || before && anyWithin(middle + 1, to, fromMs, toMs);
  }
}
