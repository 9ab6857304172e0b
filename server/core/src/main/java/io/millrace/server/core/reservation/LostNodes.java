package io.millrace.server.core.reservation;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.BookedRoom;
import io.millrace.server.core.placement.ComparedAmounts;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes of reservations that cannot be used, and that can be used again. */
public final class LostNodes {
  /** Bookings that are looked at in one go: each may make a fact with a whole record. */
  private static final int AT_ONCE = 20;

  private LostNodes() {}

  /** The list of a reservation as things are now; who was lost before has been since then. */
  public static List<LostNode> of(Context c, Reservation reservation) {
    List<LostNode> lost = new ArrayList<>();
    if (Reservations.isMaintenance(reservation)) {
      return lost; // it is there for nodes that cannot be used
    }
    BookedSizes sizes = BookedSizes.of(c, reservation);
    for (BookedNode booked : reservation.getBooked()) {
      String name = booked.getNode();
      String takenBy = takenBy(c, name, reservation);
      String why = takenBy.isEmpty() ? why(c, reservation, booked, sizes) : "under maintenance";
      if (!why.isEmpty()) {
        lost.add(new LostNode(name, why, since(c, reservation, name), takenBy));
      }
    }
    return lost;
  }

  private static String why(
      Context c, Reservation reservation, BookedNode booked, BookedSizes sizes) {
    Node node = c.view().nodes().get(booked.getNode());
    ClusterObject object = PartitionTable.node(c.view(), booked.getNode());
    String why = why(c, reservation.getSpec().getPartition(), node, object);
    return why.isEmpty() && !sizes.fits(booked, node, object) ? "too small" : why;
  }

  /** Whether nodes have what is booked of them beside what others had booked before. */
  private record BookedSizes(
      BookedRoom room, ComparedAmounts compared, BookedRoom.BookingPeriod left, long number) {

    static BookedSizes of(Context c, Reservation reservation) {
      ResourceTable resources = CustomResources.with(c.view());
      ReservationSpec spec = reservation.getSpec();
      long fromMs = Math.max(c.nowMs(), spec.getStartMs());
      return new BookedSizes(
          new BookedRoom(c.view(), resources, c.nowMs()),
          ComparedAmounts.in(c.view(), resources, spec.getPartition()),
          new BookedRoom.BookingPeriod(fromMs, Math.max(fromMs, spec.getEndMs())),
          reservation.getNumber());
    }

    boolean fits(BookedNode booked, Node node, ClusterObject object) {
      Map<String, Long> wanted = compared.of(booked.getAmounts(), node, object);
      // One that is booked for the sake of its host has nothing of its own.
      return wanted.isEmpty()
          || NodeAmounts.fits(room.beforeOthers(node, object, left, number), wanted);
    }
  }

  /**
   * The maintenance that has a node at any time of a reservation's window that is left; empty when
   * there is none.
   */
  private static String takenBy(Context c, String node, Reservation reservation) {
    long fromMs = Math.max(c.nowMs(), reservation.getSpec().getStartMs());
    long toMs = reservation.getSpec().getEndMs();
    String[] takenBy = {""};
    c.view()
        .bookings()
        .within(
            node,
            fromMs,
            toMs,
            booking -> {
              boolean other =
                  booking.getExclusive()
                      && takenBy[0].isEmpty()
                      && booking.getNumber() != reservation.getNumber();
              Reservation found = other ? Reservations.find(c.view(), booking.getNumber()) : null;
              if (found != null && Reservations.isMaintenance(found)) {
                takenBy[0] = found.getId();
              }
            });
    return takenBy[0];
  }

  private static long since(Context c, Reservation reservation, String node) {
    return reservation.getLost().stream()
        .filter(it -> it.getNode().equals(node))
        .mapToLong(LostNode::getSinceMs)
        .findFirst()
        .orElse(c.nowMs());
  }

  /** Why a node cannot be used for a reservation of this partition; empty when it can. */
  static String why(Context c, String partition, Node node, ClusterObject object) {
    if (object == null) {
      return "deleted";
    }
    if (!partition.equals(PartitionTable.partitionOf(object))) {
      return "in another partition";
    }
    if ("offline".equals(Context.attribute(object, "state", ""))) {
      return "offline";
    }
    String queue = Context.attribute(object, "queue", "");
    if (!queue.isEmpty()) {
      return "bound to queue " + queue; // whose jobs alone run there
    }
    return node == null || !node.getUp() ? "down" : "";
  }

  /**
   * Goes on with the reservations that have booked a node.
   *
   * @param work its cursor: the node and, behind a blank, the key of the booking to begin with
   */
  static Decision go(Context c, Continue work) {
    String[] cursor = work.getCursor().split(" ", 2);
    String prefix = Keys.bookings(cursor[0]);
    String from = cursor.length > 1 ? cursor[1] : prefix;
    Decision decision = Decision.none();
    int[] looked = {0};
    Set<Long> seen = new HashSet<>();
    c.view()
        .bookings()
        .scan(
            from,
            prefix + Character.MAX_VALUE,
            (key, booking) -> {
              if (looked[0]++ == AT_ONCE) {
                decision.goOn(c, ReservationWork.NODES, cursor[0] + " " + key);
                return false;
              }
              if (seen.add(booking.getNumber())) {
                look(c, Reservations.find(c.view(), booking.getNumber()), decision);
              }
              return true;
            });
    return decision;
  }

  private static void look(Context c, Reservation before, Decision decision) {
    List<LostNode> lost = of(c, before);
    if (Reservations.isClosing(before) || lost.equals(before.getLost())) {
      return;
    }
    Reservation after = Revision.of(c, before);
    after.setLost(lost);
    decision.fact(new ReservationDegraded(c.stamp(), Revision.settled(c, after)));
  }
}
