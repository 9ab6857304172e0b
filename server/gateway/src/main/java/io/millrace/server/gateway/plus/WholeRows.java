package io.millrace.server.gateway.plus;

import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** What plus_status shows of reservations that have parts: a line before those of the parts. */
final class WholeRows {

  /** By numbers, with the parts of a whole behind each other. */
  static final Comparator<Reservation> ORDER =
      Comparator.comparingLong(
              (Reservation it) ->
                  it.getWhole() == null ? it.getNumber() : it.getWhole().getNumber())
          .thenComparingInt(it -> it.getWhole() == null ? -1 : it.getWhole().getPart());

  /**
   * @param first what is asked for in one of its partitions; owner and window are those of all
   */
  record WholeRow(String name, ReservationSpec first, String state, int nodes) {}

  private final Map<String, List<Reservation>> parts = new LinkedHashMap<>();

  /**
   * @param present all that are shown, in their order
   */
  WholeRows(List<Reservation> present) {
    for (Reservation each : present) {
      if (each.getWhole() != null) {
        parts.computeIfAbsent(of(each), it -> new ArrayList<>()).add(each);
      }
    }
  }

  /** Full name of what it is a part of; empty when it stands alone. */
  static String of(Reservation reservation) {
    return reservation.getWhole() == null ? "" : reservation.getWhole().getWhole();
  }

  /** The line before this reservation, if it is the first part of a whole. */
  Optional<WholeRow> before(Reservation reservation) {
    List<Reservation> all = parts.getOrDefault(of(reservation), List.of());
    if (all.isEmpty() || all.get(0) != reservation) {
      return Optional.empty();
    }
    int nodes = all.stream().mapToInt(it -> PlusStatus.nodeCount(it.getSpec())).sum();
    String name = PlusAnswer.shortName(of(reservation));
    return Optional.of(new WholeRow(name, reservation.getSpec(), state(all), nodes));
  }

  /** That of all parts; while it is decided UNCONFIRMED, and DEGRADED when a part is missing. */
  private static String state(List<Reservation> all) {
    if (all.stream().anyMatch(it -> it.getPending() != null)) {
      return ReservationState.UNCONFIRMED.name();
    }
    TreeSet<ReservationState> states = new TreeSet<>();
    all.forEach(it -> states.add(it.getState()));
    boolean whole = all.size() == all.get(0).getWhole().getPartitions().size();
    return whole && states.size() == 1
        ? states.first().name()
        : whole && !states.contains(ReservationState.DEGRADED)
            ? states.last().name()
            : ReservationState.DEGRADED.name();
  }
}
