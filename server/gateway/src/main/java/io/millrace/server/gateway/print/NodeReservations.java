package io.millrace.server.gateway.print;

import io.millrace.schemas.pbs.resources.ReservationQueue;
import io.millrace.schemas.state.Reservation;
import java.util.List;

/**
 * What is reserved of a node.
 *
 * @param ids of the reservations, the newest first
 * @param exclusive whether one whose window is open has the node for itself
 */
public record NodeReservations(List<String> ids, boolean exclusive) {

  static final NodeReservations NONE = new NodeReservations(List.of(), false);

  /**
   * @param reservations those that hold something of the node, the newest first
   */
  public static NodeReservations of(String node, List<Reservation> reservations) {
    boolean exclusive =
        reservations.stream()
            .filter(ReservationQueue::runs)
            .flatMap(it -> it.getBooked().stream())
            .anyMatch(it -> it.getExclusive() && it.getNode().equals(node));
    return new NodeReservations(reservations.stream().map(Reservation::getId).toList(), exclusive);
  }
}
