package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedSlots;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What advance reservations have of the nodes of the shard, in slots. An exclusive reservation has
 * all slots of its nodes.
 */
final class LiveBookings {

  private static final int MS_PER_S = 1000;

  private final TreeMap<Long, List<BookedSlots>> byReservation = new TreeMap<>();

  /** How many reservations book each node. */
  private final Map<String, Integer> nodes = new HashMap<>();

  /** A reservation as it is after a change. */
  void follow(Reservation reservation) {
    List<BookedSlots> before = byReservation.remove(reservation.getNumber());
    if (before != null) {
      before.forEach(it -> nodes.merge(it.host(), -1, LiveBookings::sum));
    }
    ReservationState state = reservation.getState();
    boolean over = state == ReservationState.FINISHED || state == ReservationState.DELETED;
    if (over || reservation.getBooked().isEmpty()) {
      return;
    }
    List<BookedSlots> now = new ArrayList<>();
    for (BookedTime each : BookedTime.of(reservation)) {
      add(now, each.startMs(), each.endMs(), each.booked());
    }
    byReservation.put(reservation.getNumber(), now);
  }

  private void add(List<BookedSlots> now, long startMs, long endMs, List<BookedNode> booked) {
    long fromS = Math.floorDiv(startMs, MS_PER_S);
    long toS = Math.floorDiv(endMs + MS_PER_S - 1, MS_PER_S);
    for (BookedNode node : booked) {
      long slots =
          node.getExclusive()
              ? Integer.MAX_VALUE
              : node.getAmounts().getOrDefault(ExecHosts.SLOT, 0L);
      now.add(new BookedSlots(node.getNode(), slots, fromS, toS));
      nodes.merge(node.getNode(), 1, LiveBookings::sum);
    }
  }

  private static Integer sum(int some, int more) {
    return some + more == 0 ? null : Integer.valueOf(some + more);
  }

  /** True when any of the node is booked at any time. */
  boolean any(String node) {
    return nodes.containsKey(node);
  }

  /**
   * What is booked of hosts.
   *
   * @param hosts name of the host by the name of its node
   */
  List<BookedSlots> of(Map<String, String> hosts) {
    List<BookedSlots> all = new ArrayList<>();
    for (List<BookedSlots> each : byReservation.values()) {
      for (BookedSlots it : each) {
        String host = hosts.get(it.host());
        if (host != null) {
          all.add(new BookedSlots(host, it.slots(), it.fromS(), it.toS()));
        }
      }
    }
    return all;
  }
}
