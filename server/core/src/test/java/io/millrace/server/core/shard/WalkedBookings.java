package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a shard has in memory of bookings, by node and time, beside a walk over the reservations.
 */
public final class WalkedBookings {
  /** Windows of a node that are looked at: each edge of a booking begins and ends one. */
  private static final int EDGES_MAX = 8;

  private WalkedBookings() {}

  public static void check(Tables tables) {
    assertEquals(told(tables), kept(tables));
    Tables anew = new Tables(tables.shard(), tables.shards(), tables.codec(), tables::table);
    assertEquals(all(anew), all(tables), "who begins with the records has the same");
    windows(tables);
  }

  /** What the records of the reservations say to everybody. */
  private static List<String> told(Tables tables) {
    List<String> all = new ArrayList<>();
    tables
        .table(Reservation.class)
        .each(
            reservation -> {
              for (BookedTime time : BookedTime.of(reservation)) {
                for (BookedNode one : time.booked()) {
                  all.add(
                      String.join(
                          " ",
                          one.getNode(),
                          String.valueOf(reservation.getNumber()),
                          time.startMs() + "-" + time.endMs(),
                          new TreeMap<>(one.getAmounts()).toString(),
                          String.valueOf(one.getExclusive())));
                }
              }
            });
    Collections.sort(all);
    return all;
  }

  private static List<String> kept(Tables tables) {
    List<String> all = new ArrayList<>();
    tables
        .bookings()
        .each(
            one ->
                BookingTimes.within(
                    one,
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    (startMs, endMs) ->
                        all.add(
                            String.join(
                                " ",
                                one.getNode(),
                                String.valueOf(one.getNumber()),
                                startMs + "-" + endMs,
                                new TreeMap<>(one.getAmounts()).toString(),
                                String.valueOf(one.getExclusive())))));
    Collections.sort(all);
    return all;
  }

  private static Map<String, NodeBooking> all(Tables tables) {
    Map<String, NodeBooking> all = new TreeMap<>();
    tables.bookings().scan("", null, (key, booking) -> all.put(key, booking) == null);
    return all;
  }

  /** Whatever is looked for is what a walk over all of them finds. */
  public static void windows(Tables tables) {
    Map<String, NodeBooking> records = all(tables);
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

  /** Whatever the window: the same bookings in the same order. */
  public static void within(
      Tables tables, Map<String, List<NodeBooking>> byNode, long fromMs, long toMs) {
    for (Map.Entry<String, List<NodeBooking>> node : byNode.entrySet()) {
      List<NodeBooking> walked =
          node.getValue().stream().filter(it -> BookingTimes.meets(it, fromMs, toMs)).toList();
      List<NodeBooking> found = new ArrayList<>();
      tables.bookings().within(node.getKey(), fromMs, toMs, found::add);
      assertEquals(walked, found, () -> node.getKey() + " from " + fromMs + " to " + toMs);
      assertEquals(
          !walked.isEmpty(),
          tables.bookings().anyWithin(node.getKey(), fromMs, toMs),
          () -> node.getKey() + " from " + fromMs + " to " + toMs);
    }
  }
}
