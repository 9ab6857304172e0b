package io.millrace.server.core.state;

import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.state.NodeTimes.BookingPlace;
import io.millrace.server.core.state.NodeTimes.GatheredTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * What is booked of each node, in memory: a shard that checks a reservation looks at what lies
 * within its window, on many nodes, thousands of times a second.
 *
 * <p>It follows from the records of the reservations alone: it is made of them at the start, and
 * changes with each of them ({@link ReservationTable}). It has no records of its own, of which
 * there would be one for each node of each reservation to write, to keep and to read at the start.
 * One thread writes; any may ask.
 */
final class BookingTable implements ReadBookings {

  /** What the key of what an open transaction holds has behind the number. */
  static final String HELD = "+";

  /** Characters of a time, and of a number, which stands behind it and a slash. */
  private static final int DIGITS = Keys.time(0).length();

  private static final int BEHIND_PREFIX = 2 * DIGITS + 1;

  /** By what the keys of a node begin with. */
  private final ConcurrentSkipListMap<String, NodeTimes> nodes = new ConcurrentSkipListMap<>();

  /**
   * Makes it of all reservations that there are. They are put in order once, so that those of each
   * node are in order, too.
   */
  void begin(ReadTable<Reservation> reservations) {
    List<BookedSlot> slots = new ArrayList<>();
    List<BookedSlot> held = new ArrayList<>();
    reservations.each(
        reservation ->
            BookedSlot.each(reservation, slot -> (slot.held() ? held : slots).add(slot)));
    slots.sort(
        (one, other) -> {
          int order = Long.compare(Keys.timeOfKey(one.startMs()), Keys.timeOfKey(other.startMs()));
          return order == 0 ? Long.compare(one.number(), other.number()) : order;
        });
    Map<String, GatheredTimes> found = new HashMap<>();
    for (BookedSlot slot : slots) {
      for (BookedNode one : slot.booked()) {
        found.computeIfAbsent(one.getNode(), it -> new GatheredTimes()).add(slot, one);
      }
    }
    found.forEach((node, all) -> nodes.put(Keys.bookings(node), new NodeTimes(all)));
    held.forEach(slot -> slot.booked().forEach(it -> put(slot, it)));
  }

  /**
   * Books what a changed reservation has more than before, and takes back what it has no longer;
   * the rest is not touched.
   *
   * @param before null for a new one
   * @param after null for one that goes
   */
  void change(Reservation before, Reservation after) {
    if (after != null && BookedSlot.surelySame(before, after)) {
      return;
    }
    Map<BookedSlot.SlotPlace, BookedSlot> old = BookedSlot.of(before);
    Map<BookedSlot.SlotPlace, BookedSlot> fresh = BookedSlot.of(after);
    for (BookedSlot slot : old.values()) {
      if (!slot.equals(fresh.get(slot.place()))) {
        slot.booked().forEach(it -> remove(slot.key(it)));
      }
    }
    for (BookedSlot slot : fresh.values()) {
      if (!slot.equals(old.get(slot.place()))) {
        slot.booked().forEach(it -> put(slot, it));
      }
    }
  }

  private static int behindNumber(String key) {
    return key.length() - (key.endsWith(HELD) ? HELD.length() : 0);
  }

  private static String prefix(String key) {
    return key.substring(0, behindNumber(key) - BEHIND_PREFIX);
  }

  private static BookingPlace place(String key) {
    int end = behindNumber(key);
    int time = end - BEHIND_PREFIX;
    return new BookingPlace(
        Long.parseLong(key, time, time + DIGITS, 10),
        Long.parseLong(key, end - DIGITS, end, 10),
        end < key.length());
  }

  private static String key(NodeTimes times, int index) {
    NodeBooking booking = times.booking(index);
    String key = Keys.booking(booking.getNode(), booking.getStartMs(), booking.getNumber());
    return times.isHeld(index) ? key + HELD : key;
  }

  private NodeTimes of(String node) {
    return nodes.getOrDefault(Keys.bookings(node), NodeTimes.NONE);
  }

  @Override
  public boolean any() {
    return !nodes.isEmpty();
  }

  @Override
  public boolean any(String node) {
    return of(node).size() > 0;
  }

  @Override
  public int count(String node) {
    return of(node).count();
  }

  @Override
  public void within(String node, long fromMs, long toMs, Consumer<NodeBooking> visitor) {
    of(node).within(fromMs, toMs, visitor);
  }

  @Override
  public boolean anyWithin(String node, long fromMs, long toMs) {
    return of(node).anyWithin(fromMs, toMs);
  }

  @Override
  public NodeBooking get(String key) {
    if (behindNumber(key) < BEHIND_PREFIX) {
      return null;
    }
    NodeTimes times = nodes.getOrDefault(prefix(key), NodeTimes.NONE);
    int at = times.find(place(key));
    return at < 0 ? null : times.booking(at);
  }

  @Override
  public void scan(String from, String to, RecordVisitor<NodeBooking> visitor) {
    // The node of a key is the last one whose prefix is not behind it.
    String first = nodes.floorKey(from);
    NavigableMap<String, NodeTimes> rest = first == null ? nodes : nodes.tailMap(first, true);
    for (NodeTimes times : rest.values()) {
      for (int i = first(times, from); i < times.size(); i++) {
        String key = key(times, i);
        if (to != null && key.compareTo(to) >= 0 || !visitor.visit(key, times.booking(i))) {
          return;
        }
      }
    }
  }

  /** Index of the first whose key is not before this text. */
  private static int first(NodeTimes times, String text) {
    int low = 0;
    int high = times.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      boolean before = key(times, middle).compareTo(text) < 0;
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return low;
  }

  @Override
  public void each(Consumer<? super NodeBooking> sink) {
    for (NodeTimes times : nodes.values()) {
      for (int i = 0; i < times.size(); i++) {
        sink.accept(times.booking(i));
      }
    }
  }

  /** Puts what a slot has of a node in the place of what has the same key. */
  void put(BookedSlot slot, BookedNode one) {
    String node = Keys.bookings(one.getNode());
    nodes.put(node, nodes.getOrDefault(node, NodeTimes.NONE).with(slot, one));
  }

  void remove(String key) {
    String node = prefix(key);
    NodeTimes rest = nodes.getOrDefault(node, NodeTimes.NONE).without(place(key));
    if (rest.size() == 0) {
      nodes.remove(node);
    } else {
      nodes.put(node, rest);
    }
  }
}
