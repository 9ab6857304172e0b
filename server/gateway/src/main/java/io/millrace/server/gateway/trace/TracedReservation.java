package io.millrace.server.gateway.trace;

import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The turns of a reservation that its record has: for those who may not read the server's day log,
 * and where that has only its end, as it usually does.
 */
final class TracedReservation {

  private static final int RESERVATION_EVENT = 0x0200;
  private static final String DELETED = "reservation deleted";

  private final Times times;
  private final Reservation one;
  private final List<TracedLine> lines = new ArrayList<>();

  private TracedReservation(Times times, Reservation one) {
    this.times = times;
    this.one = one;
  }

  /**
   * Adds to what the files have.
   *
   * @param id full name, {@code R7.server}
   */
  static void add(Call call, String id, List<TracedLine> lines)
      throws QueryException, InterruptedException {
    if (lines.stream().anyMatch(it -> it.event() == RESERVATION_EVENT)) {
      return;
    }
    List<TracedLine> own = lines(call, id);
    if (own.stream().anyMatch(it -> it.text().startsWith(DELETED))) {
      lines.removeIf(it -> it.file() == 'S' && it.text().equals(DELETED));
    }
    lines.addAll(own);
  }

  private static List<TracedLine> lines(Call call, String id)
      throws QueryException, InterruptedException {
    Times times = new Times(call.site().clock().getZone());
    Optional<Reservation> found =
        call.site()
            .queries()
            .reservation(ReservationIds.number(id))
            .filter(it -> it.getId().equals(id));
    if (found.isPresent()) {
      return new TracedReservation(times, found.get()).present();
    }
    for (PastReservation past : call.site().queries().pastReservations()) {
      if (past.getReservation().getId().equals(id)) {
        return new TracedReservation(times, past.getReservation()).past(past);
      }
    }
    return List.of();
  }

  private List<TracedLine> present() {
    String owner = one.getSpec().getOwner() + "@" + one.getSpec().getSubmitHost();
    add(one.getCreatedMs(), "New reservation requested by " + owner);
    if (one.getStartedMs() >= 0) {
      add(one.getStartedMs(), "Its window begins");
    }
    return lines;
  }

  private List<TracedLine> past(PastReservation past) {
    present();
    String by = one.getEndedBy().isEmpty() ? "" : " at request of " + one.getEndedBy();
    String why = past.getWhy().isEmpty() || !by.isEmpty() ? "" : ": " + past.getWhy();
    add(past.getEndedMs(), DELETED + by + why);
    return lines;
  }

  private void add(long atMs, String text) {
    String time = times.inLog(atMs);
    lines.add(new TracedLine(time, 'S', lines.size(), RESERVATION_EVENT, one.getId(), text));
  }
}
