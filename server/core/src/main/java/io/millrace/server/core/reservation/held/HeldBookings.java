package io.millrace.server.core.reservation.held;

import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.pbs.resources.HeldPieces;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;

/** Writes what follows from the open transaction of a reservation's record. */
public final class HeldBookings {
  /**
   * Kind of the timer; the subject is the number's key. By its name it comes before the one of the
   * start when both are due at the same time.
   */
  private static final String TIMER = "reservation-pending";

  private HeldBookings() {}

  public static void put(State state, Reservation after) {
    Table<NodeBooking> bookings = state.table(NodeBooking.class);
    for (HeldPieces piece : HeldPieces.of(after)) {
      for (BookedNode booked : piece.booked()) {
        bookings.put(
            key(after, piece, booked),
            new NodeBooking(
                booked.getNode(),
                after.getNumber(),
                piece.startMs(),
                piece.endMs(),
                booked.getAmounts(),
                booked.getExclusive(),
                List.of()));
      }
    }
    if (TransactionTimes.endsByItself(after)) {
      Timers.set(state, TransactionTimes.dueMs(after), TIMER, Keys.number(after.getNumber()));
    }
  }

  public static void withdraw(State state, Reservation before) {
    for (HeldPieces piece : HeldPieces.of(before)) {
      for (BookedNode booked : piece.booked()) {
        state.table(NodeBooking.class).remove(key(before, piece, booked));
      }
    }
    if (TransactionTimes.endsByItself(before)) {
      Timers.remove(state, TransactionTimes.dueMs(before), TIMER, Keys.number(before.getNumber()));
    }
  }

  /** Moves the openings, so that as much of the time of each transaction is left. */
  public static void setBack(State state, long byMs) {
    List<Reservation> open = new ArrayList<>();
    state
        .table(Reservation.class)
        .each(
            reservation -> {
              if (reservation.getPending() != null) {
                open.add(reservation);
              }
            });
    for (Reservation before : open) {
      withdraw(state, before);
      Reservation after = Copies.of(before);
      after.setPending(
          ReservationTransaction.newBuilder(before.getPending())
              .setOpenedMs(before.getPending().getOpenedMs() - byMs)
              .build());
      state.table(Reservation.class).put(Keys.number(after.getNumber()), after);
      put(state, after);
    }
  }

  /** Another one than that of the reservation's own booking, which may begin at the same time. */
  private static String key(Reservation reservation, HeldPieces piece, BookedNode booked) {
    return Keys.booking(booked.getNode(), piece.startMs(), reservation.getNumber()) + "+";
  }
}
