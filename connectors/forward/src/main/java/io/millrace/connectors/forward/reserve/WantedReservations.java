package io.millrace.connectors.forward.reserve;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What of the present reservations is to be in a cluster. */
final class WantedReservations {

  /** States in which it has nodes; before it has none, and afterwards it is gone. */
  private static final Set<ReservationState> HOLDING =
      Set.of(
          ReservationState.CONFIRMED,
          ReservationState.DEGRADED,
          ReservationState.RUNNING,
          ReservationState.BEING_ALTERED,
          ReservationState.DELETING_JOBS,
          ReservationState.BEING_DELETED);

  private static final Pattern NAME = Pattern.compile("[RSM][0-9]{1,18}");

  private WantedReservations() {}

  static List<OutsideReservation> of(ClusterFile file, Collection<Reservation> present) {
    List<OutsideReservation> wanted = new ArrayList<>();
    for (Reservation each : present) {
      List<String> hosts =
          each.getBooked().stream()
              .map(BookedNode::getNode)
              .filter(it -> HostKey.isMember(it) && it.endsWith("@" + file.name()))
              .map(it -> it.substring(0, it.indexOf('@')))
              .toList();
      if (HOLDING.contains(each.getState())
          && !hosts.isEmpty()
          && NAME.matcher(each.getQueue()).matches()) {
        wanted.add(
            new OutsideReservation(
                each.getQueue(), each.getStartedMs() >= 0, hosts, accounts(file, each)));
      }
    }
    return wanted;
  }

  /** The accounts of those whom it names; who has none there cannot use it there. */
  private static List<String> accounts(ClusterFile file, Reservation reservation) {
    return reservation.getSpec().getUsers().stream()
        .filter(it -> !it.startsWith("-"))
        .map(it -> it.startsWith("+") ? it.substring(1) : it)
        .flatMap(
            it ->
                Optional.ofNullable(file.users().get(it))
                    .or(() -> Optional.ofNullable(file.users().get(it.replaceFirst("@.*", ""))))
                    .stream())
        .toList();
  }
}
