package io.millrace.server.core.reservation;

import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;
import java.util.List;

/** The next record of a reservation: a copy to change, whose state follows from what it says. */
public final class Revision {
  static final String CONFIRMED = "CONFIRMED";
  public static final String DENIED = "DENIED";
  static final String UNCONFIRMED = "UNCONFIRMED";

  private Revision() {}

  public static Reservation of(Context c, Reservation before) {
    Reservation after = Copies.of(before);
    after.setRevision(before.getRevision() + 1);
    after.setModifiedMs(c.nowMs());
    return after;
  }

  /** Sets state and substate of one that is not being deleted, and when lost nodes are retried. */
  public static Reservation settled(Context c, Reservation reservation) {
    ReservationState is = base(reservation);
    boolean lost = !reservation.getLost().isEmpty();
    boolean taken = reservation.getLost().stream().anyMatch(it -> !it.getTakenBy().isEmpty());
    ReservationState worse = taken ? ReservationState.IN_CONFLICT : ReservationState.DEGRADED;
    reservation.setSubstate(lost ? worse : is);
    boolean shown = lost && is == ReservationState.CONFIRMED;
    reservation.setState(shown ? ReservationState.DEGRADED : is);
    if (reservation.getAsked() != null) {
      reservation.setState(ReservationState.BEING_ALTERED);
    }
    reservation.setRetryMs(RetryTimes.next(c, reservation));
    return reservation;
  }

  private static ReservationState base(Reservation reservation) {
    if (!Reservations.hasQueue(reservation)) {
      return ReservationState.UNCONFIRMED;
    }
    return reservation.getStartedMs() >= 0 ? ReservationState.RUNNING : ReservationState.CONFIRMED;
  }

  /** Answers who waits, if anybody, with the reason in a line of its own. */
  public static void answer(Reservation after, String what, String why, Decision decision) {
    if (after.getWaiting() != null) {
      decision.answer(after.getWaiting(), 0, List.of(after.getId() + " " + what, why));
      after.setWaiting(null);
      after.setAnswerDueMs(0L);
    }
  }

  /** Answers who waits, if anybody, and notes in the record that nobody does any more. */
  static void answer(Reservation after, String what, Decision decision) {
    if (after.getWaiting() != null) {
      decision.answer(after.getWaiting(), 0, List.of(after.getId() + " " + what));
      after.setWaiting(null);
      after.setAnswerDueMs(0L);
    }
  }
}
