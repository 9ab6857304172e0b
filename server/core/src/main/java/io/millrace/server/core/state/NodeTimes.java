package io.millrace.server.core.state;

import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.NodeBooking;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What is booked of one node: its bookings in the order of their keys, which is that of their first
 * starts. Never changed: whoever has it sees no change.
 *
 * <p>Simple semantics: a walk over all of them. To find those of a window, each knows until when
 * those of its part of the list last: the list is a balanced tree whose root is the middle one.
 */
final class NodeTimes {
  static final NodeTimes NONE = new NodeTimes(new NodeBooking[0], new boolean[0]);

  private final NodeBooking[] bookings;

  /** Whether a booking is that of an open transaction, whose key ends with {@link #HELD}. */
  private final boolean[] held;

  /** When the last one ends of the part of the list that each is in the middle of. */
  private final long[] lastEndsMs;

  private final int count;

  static final String HELD = "+";

  /** The same arrays are not to be written any more. */
  NodeTimes(NodeBooking[] bookings, boolean[] held) {
    this.bookings = bookings;
    this.held = held;
    this.lastEndsMs = new long[bookings.length];
    end(0, bookings.length);
    int sum = 0;
    for (NodeBooking booking : bookings) {
      sum += BookingTimes.count(booking);
    }
    this.count = sum;
  }

  private long end(int from, int to) {
    if (from == to) {
      return Long.MIN_VALUE;
    }
    int middle = (from + to) >>> 1;
    long lastMs = BookingTimes.lastEndMs(bookings[middle]);
    lastMs = Math.max(lastMs, Math.max(end(from, middle), end(middle + 1, to)));
    lastEndsMs[middle] = lastMs;
    return lastMs;
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

  String key(int index) {
    NodeBooking booking = bookings[index];
    String key = Keys.booking(booking.getNode(), booking.getStartMs(), booking.getNumber());
    return held[index] ? key + HELD : key;
  }

  /** Index of the first whose key is not before this one. */
  int from(String key) {
    int low = 0;
    int high = bookings.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (key(middle).compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the one of this index has this key. */
  boolean has(int index, String key) {
    return index < bookings.length && key(index).equals(key);
  }

  NodeTimes with(String key, NodeBooking booking) {
    int at = from(key);
    boolean replaces = has(at, key);
    int size = bookings.length + (replaces ? 0 : 1);
    NodeBooking[] more = Arrays.copyOf(bookings, size);
    boolean[] moreHeld = Arrays.copyOf(held, size);
    if (!replaces) {
      System.arraycopy(bookings, at, more, at + 1, bookings.length - at);
      System.arraycopy(held, at, moreHeld, at + 1, held.length - at);
    }
    more[at] = booking;
    moreHeld[at] = key.endsWith(HELD);
    return new NodeTimes(more, moreHeld);
  }

  NodeTimes without(String key) {
    int at = from(key);
    if (!has(at, key)) {
      return this;
    }
    int size = bookings.length - 1;
    NodeBooking[] fewer = Arrays.copyOf(bookings, size);
    boolean[] fewerHeld = Arrays.copyOf(held, size);
    System.arraycopy(bookings, at + 1, fewer, at, size - at);
    System.arraycopy(held, at + 1, fewerHeld, at, size - at);
    return new NodeTimes(fewer, fewerHeld);
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
    NodeBooking booking = bookings[middle];
    if (booking.getStartMs() < toMs) {
      if (BookingTimes.meets(booking, fromMs, toMs)) {
        visitor.accept(booking);
      }
      within(middle + 1, to, fromMs, toMs, visitor);
    }
  }

  boolean anyWithin(long fromMs, long toMs) {
    return anyWithin(0, bookings.length, fromMs, toMs);
  }

  private boolean anyWithin(int from, int to, long fromMs, long toMs) {
    int middle = (from + to) >>> 1;
    if (from == to || lastEndsMs[middle] <= fromMs) {
      return false;
    }
    boolean before = bookings[middle].getStartMs() < toMs;
    return before && BookingTimes.meets(bookings[middle], fromMs, toMs)
        || anyWithin(from, middle, fromMs, toMs)
        || before && anyWithin(middle + 1, to, fromMs, toMs);
  }
}
