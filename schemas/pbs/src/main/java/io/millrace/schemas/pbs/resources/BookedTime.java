package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.PastOccurrence;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A time for which a reservation has booked nodes.
 *
 * @param startMs its start
 * @param endMs its end, which is not part of it
 * @param booked what is booked of nodes meanwhile
 */
public record BookedTime(long startMs, long endMs, List<BookedNode> booked) {

  /** All of a reservation: its window, its later occurrences, what a transaction holds besides. */
  public static List<BookedTime> of(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    List<BookedTime> times = new ArrayList<>();
    times.add(new BookedTime(spec.getStartMs(), spec.getEndMs(), reservation.getBooked()));
    addLater(reservation, times);
    for (HeldPieces piece : HeldPieces.of(reservation)) {
      times.add(new BookedTime(piece.startMs(), piece.endMs(), piece.booked()));
    }
    return times;
  }

  /**
   * Its window and its later occurrences, and before them those that are over and still known. Of a
   * window in which it got other nodes there are several times.
   */
  public static List<BookedTime> occurrences(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    List<BookedTime> times = new ArrayList<>();
    for (PastOccurrence past : reservation.getPast()) {
      List<BookedNode> had = reservation.getPlacements().get(past.getLies()).getBooked();
      times.add(new BookedTime(past.getStartMs(), past.getEndMs(), had));
    }
    times.add(new BookedTime(sinceMs(reservation), spec.getEndMs(), reservation.getBooked()));
    addLater(reservation, times);
    return times;
  }

  /** Since when in its window it has the nodes that it has. */
  public static long sinceMs(Reservation reservation) {
    return Math.max(reservation.getSpec().getStartMs(), reservation.getSinceMs());
  }

  private static void addLater(Reservation reservation, List<BookedTime> times) {
    long lengthMs = laterLengthMs(reservation);
    for (int i = 0; i < reservation.getLies().size(); i++) {
      long startMs = reservation.getSpec().getLaterMs().get(i);
      int lies = reservation.getLies().get(i);
      List<BookedNode> there = reservation.getPlacements().get(lies).getBooked();
      times.add(new BookedTime(startMs, startMs + lengthMs, there));
    }
  }

  /** How long each of its later occurrences is: as the window, unless that was altered alone. */
  public static long laterLengthMs(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    return reservation.getUsual() == null
        ? spec.getEndMs() - spec.getStartMs()
        : reservation.getUsual().getLengthMs();
  }
}
