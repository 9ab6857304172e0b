package io.millrace.server.core.state;

import io.millrace.schemas.state.NodeBooking;
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

  /** A key is the node's prefix, a time, a slash and a number. */
  private static final int BEHIND_PREFIX = Keys.booking("", 0, 0).length() - 1;

  private final Table<NodeBooking> records;

  /** By what the keys of a node begin with. */
  private final ConcurrentSkipListMap<String, NodeTimes> nodes = new ConcurrentSkipListMap<>();

  /**
   * @param records that are there already count
   */
  BookingTable(Table<NodeBooking> records) {
    this.records = records;
    new Reading().all();
  }

  /** Reads what is there. Bookings of the same amounts share them, as those of a reservation do. */
  private final class Reading {
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
            held.add(key.endsWith(NodeTimes.HELD));
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
        boolean[] flags = new boolean[held.size()];
        for (int i = 0; i < flags.length; i++) {
          flags[i] = held.get(i);
        }
        nodes.put(node, new NodeTimes(ofNode.toArray(NodeBooking[]::new), flags));
        ofNode.clear();
        held.clear();
      }
    }
  }

  private static String prefix(String key) {
    int behind = BEHIND_PREFIX + (key.endsWith(NodeTimes.HELD) ? 1 : 0);
    return key.substring(0, key.length() - behind);
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
    if (key.length() <= BEHIND_PREFIX) {
      return null;
    }
    NodeTimes times = nodes.getOrDefault(prefix(key), NodeTimes.NONE);
    int at = times.from(key);
    return times.has(at, key) ? times.booking(at) : null;
  }

  @Override
  public void scan(String from, String to, RecordVisitor<NodeBooking> visitor) {
    // The node of a key is the last one whose prefix is not behind it.
    String first = nodes.floorKey(from);
    NavigableMap<String, NodeTimes> rest = first == null ? nodes : nodes.tailMap(first, true);
    for (NodeTimes times : rest.values()) {
      for (int i = times.from(from); i < times.size(); i++) {
        String key = times.key(i);
        if (to != null && key.compareTo(to) >= 0 || !visitor.visit(key, times.booking(i))) {
          return;
        }
      }
    }
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
    nodes.put(node, nodes.getOrDefault(node, NodeTimes.NONE).with(key, value));
    records.put(key, value);
  }

  @Override
  public void remove(String key) {
    String node = prefix(key);
    NodeTimes rest = nodes.getOrDefault(node, NodeTimes.NONE).without(key);
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
