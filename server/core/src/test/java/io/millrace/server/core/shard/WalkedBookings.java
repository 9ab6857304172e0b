package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a shard has in memory of bookings, by node and time, beside a walk over their records. */
public final class WalkedBookings {
  /** Windows of a node that are looked at: each edge of a booking begins and ends one. */
  private static final int EDGES_MAX = 8;

  private static final String TABLE = "bookings";

  private WalkedBookings() {}

  public static void check(Tables tables) {
    Map<String, NodeBooking> records = new TreeMap<>();
    tables
        .<NodeBooking>table(TABLE)
        .scan("", null, (key, booking) -> records.put(key, booking) == null);
    Map<String, NodeBooking> kept = new TreeMap<>();
    tables
        .table(NodeBooking.class)
        .scan("", null, (key, booking) -> kept.put(key, booking) == null);
    assertEquals(records, kept);
    assertEquals(!records.isEmpty(), tables.bookings().any());
    Map<String, List<NodeBooking>> byNode = new TreeMap<>();
    records
        .values()
        .forEach(it -> byNode.computeIfAbsent(it.getNode(), node -> new ArrayList<>()).add(it));
    Set<Long> edges = new TreeSet<>(Set.of(0L, Long.MAX_VALUE));
    for (Map.Entry<String, List<NodeBooking>> node : byNode.entrySet()) {
      int times = 0;
      for (NodeBooking booking : node.getValue()) {
        times += BookingTimes.count(booking);
        if (edges.size() < EDGES_MAX) {
          edges.addAll(List.of(booking.getStartMs(), booking.getEndMs(), booking.getEndMs() + 1));
        }
      }
      assertEquals(times, tables.bookings().count(node.getKey()), node.getKey());
      assertEquals(true, tables.bookings().any(node.getKey()), node.getKey());
    }
    for (long fromMs : edges) {
      for (long toMs : edges) {
        within(tables, byNode, fromMs, toMs);
      }
    }
  }

  /** Whatever the window: the same records in the same order, and the same nodes. */
  public static void within(
      Tables tables, Map<String, List<NodeBooking>> byNode, long fromMs, long toMs) {
    Set<String> nodes = new HashSet<>();
    for (Map.Entry<String, List<NodeBooking>> node : byNode.entrySet()) {
      List<NodeBooking> walked =
          node.getValue().stream().filter(it -> BookingTimes.meets(it, fromMs, toMs)).toList();
      List<NodeBooking> found = new ArrayList<>();
      tables.bookings().within(node.getKey(), fromMs, toMs, found::add);
      assertEquals(walked, found, () -> node.getKey() + " from " + fromMs + " to " + toMs);
      if (!walked.isEmpty()) {
        nodes.add(node.getKey());
      }
    }
    assertEquals(nodes, tables.bookings().nodesWithin(fromMs, toMs));
  }
}
