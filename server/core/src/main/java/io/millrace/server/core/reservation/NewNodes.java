package io.millrace.server.core.reservation;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Nodes that come to be on a host which a reservation has for itself, as maintenance has: it books
 * them, too, as if they had been there when it was confirmed.
 */
final class NewNodes {
  /** Bookings that are looked at in one go: each may make a fact with a whole record. */
  private static final int AT_ONCE = 20;

  private static final String CHANGED = "nodes";

  private NewNodes() {}

  /**
   * Goes on with what is booked of the other nodes of the host.
   *
   * @param work its cursor: the new node and the key of the booking to begin with, or nothing
   */
  static Decision go(Context c, Continue work) {
    String[] cursor = work.getCursor().split(" ", 2);
    Decision decision = Decision.none();
    Node fresh = c.view().nodes().get(cursor[0]);
    if (fresh == null) {
      return decision;
    }
    List<ClusterObject> others = Nodes.onHost(c.view(), fresh.getHost());
    others.removeIf(it -> it.getName().equals(fresh.getName()));
    others.sort(Comparator.comparing(it -> Keys.bookings(it.getName())));
    Set<Long> seen = new HashSet<>();
    int[] looked = {0};
    for (ClusterObject other : others) {
      String prefix = Keys.bookings(other.getName());
      String from = cursor[1].compareTo(prefix) > 0 ? cursor[1] : prefix;
      c.view()
          .bookings()
          .scan(
              from,
              prefix + Character.MAX_VALUE,
              (key, booking) -> {
                if (looked[0]++ == AT_ONCE) {
                  ReservationWork.newNode(c, fresh.getName(), key, decision);
                  return false;
                }
                if (seen.add(booking.getNumber())) {
                  look(c, booking.getNumber(), other, fresh.getName(), decision);
                }
                return true;
              });
      if (looked[0] > AT_ONCE) {
        return decision;
      }
    }
    return decision;
  }

  private static void look(
      Context c, long number, ClusterObject other, String fresh, Decision decision) {
    Reservation before = Reservations.find(c.view(), number);
    PlaceRequest place = PlaceRequest.of(before.getSpec().getRequest().getPlace());
    boolean whole = JobRecords.sharing(place.sharing(), false, other) == Sharing.EXCLHOST;
    if (!whole || Reservations.isClosing(before)) {
      return;
    }
    Reservation after = Revision.of(c, before);
    after.setBooked(with(before.getBooked(), other.getName(), fresh));
    List<Placement> placements = new ArrayList<>();
    for (Placement later : before.getPlacements()) {
      placements.add(
          new Placement(
              later.getShares(),
              with(later.getBooked(), other.getName(), fresh),
              later.getNodes()));
    }
    after.setPlacements(placements);
    if (before.getPending() != null) {
      after.setPending(
          ReservationTransaction.newBuilder(before.getPending())
              .setBooked(with(before.getPending().getBooked(), other.getName(), fresh))
              .build());
    }
    boolean same =
        after.getBooked().equals(before.getBooked())
            && placements.equals(before.getPlacements())
            && Objects.equals(after.getPending(), before.getPending());
    if (!same) {
      PastOccurrences.changed(c, before, after);
      String by = "Server@" + c.serverName();
      decision.fact(new ReservationAltered(c.stamp(), Revision.settled(c, after), CHANGED, by));
    }
  }

  /** What is booked, with the new node where something is booked of the other one of its host. */
  private static List<BookedNode> with(List<BookedNode> booked, String other, String fresh) {
    boolean has = booked.stream().anyMatch(it -> it.getNode().equals(other));
    boolean there = booked.stream().anyMatch(it -> it.getNode().equals(fresh));
    if (!has || there) {
      return booked;
    }
    List<BookedNode> more = new ArrayList<>(booked);
    more.add(new BookedNode(fresh, Map.of(), true));
    more.sort(Comparator.comparing(BookedNode::getNode));
    return more;
  }
}
