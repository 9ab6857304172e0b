package io.millrace.server.gateway.plus;

import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What plus_status shows of reservations that have parts, beside those of this installation. */
final class WholeRows {
  private static final String UNCONFIRMED = ReservationState.UNCONFIRMED.name();
  private static final String DEGRADED = ReservationState.DEGRADED.name();

  /**
   * A reservation that has parts, or a part of it in another installation.
   *
   * @param part its place in the whole; -1 of the whole itself
   * @param lost nodes that are lost there
   */
  record WholeRow(
      String name, int part, WholeSpan span, String state, int nodes, List<String> lost) {}

  /**
   * What all parts have in common.
   *
   * @param number that orders them among all reservations
   */
  record WholeSpan(long number, String whole, String owner, long startMs, long endMs) {}

  private final Map<Long, List<Reservation>> here = new TreeMap<>();
  private final Map<Long, ReservationWhole> sites = new TreeMap<>();

  /**
   * @param present reservations that are shown
   * @param wholes those that are shown
   */
  WholeRows(Collection<Reservation> present, Collection<ReservationWhole> wholes) {
    for (Reservation each : present) {
      if (each.getWhole() != null) {
        here.computeIfAbsent(each.getWhole().getNumber(), it -> new ArrayList<>()).add(each);
      }
    }
    for (ReservationWhole each : wholes) {
      if (hasSites(each)) {
        sites.put(each.getNumber(), each);
      }
    }
  }

  /** Full name of what it is a part of; empty when it stands alone. */
  static String of(Reservation reservation) {
    return reservation.getWhole() == null ? "" : reservation.getWhole().getWhole();
  }

  /** Whether some of its parts are in other installations. */
  static boolean hasSites(ReservationWhole whole) {
    return whole.getParts().stream().anyMatch(it -> it.getThere() != null);
  }

  /** A line for each whole, and one for each of its parts elsewhere that is there. */
  List<WholeRow> rows() {
    List<WholeRow> rows = new ArrayList<>();
    TreeSet<Long> numbers = new TreeSet<>(here.keySet());
    numbers.addAll(sites.keySet());
    for (long number : numbers) {
      List<Reservation> parts = here.getOrDefault(number, List.of());
      ReservationWhole whole = sites.get(number);
      WholeSpan span = whole == null ? span(parts.get(0)) : span(whole);
      List<WholeRow> elsewhere = whole == null ? List.of() : elsewhere(whole, span);
      int nodes =
          parts.stream().mapToInt(it -> PlusStatus.nodeCount(it.getSpec())).sum()
              + elsewhere.stream().mapToInt(WholeRow::nodes).sum();
      String name = PlusAnswer.shortName(span.whole());
      String state = state(whole, parts, elsewhere);
      rows.add(new WholeRow(name, -1, span, state, nodes, List.of()));
      rows.addAll(elsewhere);
    }
    return rows;
  }

  private static WholeSpan span(Reservation part) {
    return new WholeSpan(
        part.getWhole().getNumber(),
        part.getWhole().getWhole(),
        part.getSpec().getOwner(),
        part.getSpec().getStartMs(),
        part.getSpec().getEndMs());
  }

  private static WholeSpan span(ReservationWhole whole) {
    return new WholeSpan(
        whole.getNumber(), whole.getId(), whole.getOwner(), whole.getStartMs(), whole.getEndMs());
  }

  private static List<WholeRow> elsewhere(ReservationWhole whole, WholeSpan span) {
    List<WholeRow> rows = new ArrayList<>();
    for (int i = 0; i < whole.getParts().size(); i++) {
      WholePart part = whole.getParts().get(i);
      if (part.getThere() != null && part.getState() != PartState.GONE) {
        int nodes = part.getThere().getWish().getNodes();
        List<String> lost = part.getThere().getLost();
        rows.add(new WholeRow(name(part), i, span, state(part), nodes, lost));
      }
    }
    return rows;
  }

  /** {@code site2:R17}; {@code site2:-} before its name there is known. */
  static String name(WholePart part) {
    String id = part.getReservationId();
    return part.getThere().getWish().getSite() + ":" + (id.isEmpty() ? "-" : id);
  }

  /** As the other installation showed it last. */
  static String state(WholePart part) {
    String shown = part.getThere().getShown();
    return switch (part.getState()) {
      case ASKED -> UNCONFIRMED;
      case HELD -> ReservationState.CONFIRMED + "+reserve";
      default -> shown.isEmpty() ? ReservationState.CONFIRMED.name() : shown;
    };
  }

  /** That of all parts; while it is decided UNCONFIRMED, and DEGRADED when a part is missing. */
  private static String state(
      ReservationWhole whole, List<Reservation> parts, List<WholeRow> elsewhere) {
    boolean ends = whole != null && whole.getState() == WholeState.ENDING;
    boolean open = whole != null && whole.getState() != WholeState.KEPT;
    if (ends || open || parts.stream().anyMatch(it -> it.getPending() != null)) {
      return ends ? ReservationState.BEING_DELETED.name() : UNCONFIRMED;
    }
    TreeSet<String> states = new TreeSet<>();
    parts.forEach(it -> states.add(it.getState().name()));
    elsewhere.forEach(it -> states.add(it.state()));
    boolean lost = elsewhere.stream().anyMatch(it -> !it.lost().isEmpty());
    int due =
        whole == null ? parts.get(0).getWhole().getPartitions().size() : whole.getParts().size();
    boolean all = parts.size() + elsewhere.size() == due;
    if (!all || lost || states.contains(DEGRADED)) {
      return DEGRADED;
    }
    return states.size() == 1 ? states.first() : later(states);
  }

  /** Of several the one that comes last in the life of a reservation. */
  private static String later(Collection<String> states) {
    ReservationState last = ReservationState.CONFIRMED;
    for (ReservationState each : ReservationState.values()) {
      last = states.contains(each.name()) ? each : last;
    }
    return last.name();
  }
}
