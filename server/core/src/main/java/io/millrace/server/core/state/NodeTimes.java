package io.millrace.server.core.state;

import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import java.util.ArrayList;
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
  static final NodeTimes NONE = new NodeTimes(new GatheredTimes());

  /**
   * Where a booking stands among those of its node.
   *
   * @param timeMs its first start, as the key has it
   * @param held whether it is that of an open transaction
   */
  record BookingPlace(long timeMs, long number, boolean held) {}

  /** What each is part of; only whoever asks for a booking has it made. */
  private final BookedSlot[] slots;

  /** What each has of the node. */
  private final BookedNode[] booked;

  private final long[] startsMs;
  private final long[] endsMs;

  /** When the last one ends of the part of the list that each is in the middle of. */
  private final long[] lastEndsMs;

  /** Number of the times of all of them. */
  private final int count;

  /** Bookings of a node that are put together. */
  static final class GatheredTimes {
    private final List<BookedSlot> slots = new ArrayList<>();
    private final List<BookedNode> booked = new ArrayList<>();

    /** Adds one behind those that are there, which is the order of their keys. */
    void add(BookedSlot slot, BookedNode one) {
      slots.add(slot);
      booked.add(one);
    }
  }

  NodeTimes(GatheredTimes all) {
    int size = all.slots.size();
    slots = all.slots.toArray(BookedSlot[]::new);
    booked = all.booked.toArray(BookedNode[]::new);
    startsMs = new long[size];
    endsMs = new long[size];
    int sum = 0;
    for (int i = 0; i < size; i++) {
      startsMs[i] = slots[i].startMs();
      endsMs[i] = slots[i].lastEndMs();
      sum += slots[i].count();
    }
    count = sum;
    lastEndsMs = new long[size];
    end(0, size);
  }

  /**
   * A copy with a gap at an index, or without what is there.
   *
   * @param slot what comes to the index; null for nothing
   */
  private NodeTimes(NodeTimes before, int at, int by, BookedSlot slot, BookedNode one) {
    int size = before.slots.length + by;
    slots = Arrays.copyOf(before.slots, size);
    booked = Arrays.copyOf(before.booked, size);
    startsMs = Arrays.copyOf(before.startsMs, size);
    endsMs = Arrays.copyOf(before.endsMs, size);
    if (by != 0) {
      int from = by > 0 ? at : at + 1;
      int rest = before.slots.length - from;
      System.arraycopy(before.slots, from, slots, from + by, rest);
      System.arraycopy(before.booked, from, booked, from + by, rest);
      System.arraycopy(before.startsMs, from, startsMs, from + by, rest);
      System.arraycopy(before.endsMs, from, endsMs, from + by, rest);
    }
    int gone = by > 0 ? 0 : before.slots[at].count();
    int come = 0;
    if (slot != null) {
      come = slot.count();
      slots[at] = slot;
      booked[at] = one;
      startsMs[at] = slot.startMs();
      endsMs[at] = slot.lastEndMs();
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
    return slots.length;
  }

  /** Number of the times of all of them. */
  int count() {
    return count;
  }

  NodeBooking booking(int index) {
    return slots[index].booking(booked[index]);
  }

  boolean isHeld(int index) {
    return slots[index].held();
  }

  private int compare(int index, BookingPlace place) {
    int order = Long.compare(Keys.timeOfKey(startsMs[index]), place.timeMs());
    order = order == 0 ? Long.compare(slots[index].number(), place.number()) : order;
    return order == 0 ? Boolean.compare(slots[index].held(), place.held()) : order;
  }

  /** Its index; where there is none, minus one and minus the index at which it would be. */
  int find(BookingPlace place) {
    int low = 0;
    int high = slots.length - 1;
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

  /** With one in the place of that of the same key. */
  NodeTimes with(BookedSlot slot, BookedNode one) {
    BookingPlace place =
        new BookingPlace(Keys.timeOfKey(slot.startMs()), slot.number(), slot.held());
    int found = find(place);
    return found >= 0
        ? new NodeTimes(this, found, 0, slot, one)
        : new NodeTimes(this, -found - 1, 1, slot, one);
  }

  NodeTimes without(BookingPlace place) {
    int found = find(place);
    return found >= 0 ? new NodeTimes(this, found, -1, null, null) : this;
  }

  void within(long fromMs, long toMs, Consumer<NodeBooking> visitor) {
    within(0, slots.length, fromMs, toMs, visitor);
  }

  private void within(int from, int to, long fromMs, long toMs, Consumer<NodeBooking> visitor) {
    int middle = (from + to) >>> 1;
    if (from == to || lastEndsMs[middle] <= fromMs) {
      return;
    }
    within(from, middle, fromMs, toMs, visitor);
    if (startsMs[middle] < toMs) {
      if (meets(middle, fromMs, toMs)) {
        visitor.accept(booking(middle));
      }
      within(middle + 1, to, fromMs, toMs, visitor);
    }
  }

  private boolean meets(int index, long fromMs, long toMs) {
    if (slots[index].laterMs().isEmpty()) {
      return endsMs[index] > fromMs && startsMs[index] < toMs;
    }
    return endsMs[index] > fromMs && BookingTimes.meets(booking(index), fromMs, toMs);
  }

  boolean anyWithin(long fromMs, long toMs) {
    return anyWithin(0, slots.length, fromMs, toMs);
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
