package io.millrace.server.core.state;

import io.millrace.schemas.state.NodeBooking;
import io.millrace.server.core.state.NodeTimes.BookingPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * What is booked of each node, in memory beside the table that keeps it: a shard that checks a
 * reservation looks at what lies within its window, on many nodes, thousands of times a second.
 *
 * <p>It follows from the records alone, of which it is made at the start, and which are only
 * written through it. One thread writes; any may ask.
 */
final class BookingTable implements Table<NodeBooking>, ReadBookings {

  /** What the key of what an open transaction holds has behind the number. */
  private static final String HELD = "+";

  /** Characters of a time, and of a number, which stands behind it and a slash. */
  private static final int DIGITS = Keys.time(0).length();

  private static final int BEHIND_PREFIX = 2 * DIGITS + 1;

  private final Table<NodeBooking> records;

  /** By what the keys of a node begin with. */
  private final ConcurrentSkipListMap<String, NodeTimes> nodes = new ConcurrentSkipListMap<>();

  /**
   * @param records that are there already count
   */
  BookingTable(Table<NodeBooking> records) {
    this.records = records;
    new BookingReading().all();
  }

  /** Reads what is there. Bookings of the same amounts share them, as those of a reservation do. */
  private final class BookingReading {
    private final Map<Map<String, Long>, Map<String, Long>> amounts = new HashMap<>();
    private final List<NodeBooking> ofNode = new ArrayList<>();
    private final List<Boolean> held = new ArrayList<>();
    private String node = "";

    void all() {
      records.scan(
          "",
          null,
          (key, booking) -> {
            if (!key.startsWith(node) || ofNode.isEmpty()) {
              end();
              node = prefix(key);
            }
            ofNode.add(shared(booking));
            held.add(key.endsWith(HELD));
            return true;
          });
      end();
    }

    private NodeBooking shared(NodeBooking booking) {
      return new NodeBooking(
          ofNode.isEmpty() ? booking.getNode() : ofNode.get(0).getNode(),
          booking.getNumber(),
          booking.getStartMs(),
          booking.getEndMs(),
          amounts.computeIfAbsent(booking.getAmounts(), it -> it),
          booking.getExclusive(),
          booking.getLaterMs().isEmpty() ? List.of() : booking.getLaterMs());
    }

    private void end() {
      if (!ofNode.isEmpty()) {
        nodes.put(node, new NodeTimes(ofNode, held));
        ofNode.clear();
        held.clear();
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
  public Set<String> nodesWithin(long fromMs, long toMs) {
    Set<String> found = new HashSet<>();
    for (NodeTimes times : nodes.values()) {
      if (times.anyWithin(fromMs, toMs)) {
        found.add(times.booking(0).getNode());
      }
    }
    return found;
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

  @Override
  public void put(String key, NodeBooking value) {
    String node = prefix(key);
    nodes.put(node, nodes.getOrDefault(node, NodeTimes.NONE).with(place(key), value));
    records.put(key, value);
  }

  @Override
  public void remove(String key) {
    String node = prefix(key);
    NodeTimes rest = nodes.getOrDefault(node, NodeTimes.NONE).without(place(key));
    if (rest.size() == 0) {
      nodes.remove(node);
    } else {
      nodes.put(node, rest);
    }
    records.remove(key);
  }

  @Override
  public Frozen<NodeBooking> freeze() {
    return records.freeze();
  }
}
