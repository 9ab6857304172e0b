package io.millrace.server.core.reservation.held;

import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;

/** Sets when the open transaction of a reservation ends by itself. */
public final class HeldTimers {
  /**
   * Kind of the timer; the subject is the number's key. By its name it comes before the one of the
   * start when both are due at the same time.
   */
  private static final String TIMER = "reservation-pending";

  private HeldTimers() {}

  public static void put(State state, Reservation after) {
    if (TransactionTimes.endsByItself(after)) {
      Timers.set(state, TransactionTimes.dueMs(after), TIMER, Keys.number(after.getNumber()));
    }
  }

  public static void withdraw(State state, Reservation before) {
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
}
