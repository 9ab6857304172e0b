package io.millrace.server.core.reservation.past;

import io.millrace.schemas.command.ForgetReservation;
import io.millrace.schemas.fact.ReservationForgotten;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;

/** Decides when reservations that have ended are forgotten. */
public final class Deciders {

  public Decision decide(Context c, ForgetReservation command) {
    long number = ReservationIds.number(command.getReservationId());
    PastReservation past =
        number < 0 ? null : c.view().table(PastReservation.class).get(Keys.number(number));
    if (past == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    Reservation last = past.getReservation();
    if (!last.getId().equals(command.getReservationId())) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    if (!c.isOperator() && !last.getSpec().getOwner().equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    return Decision.done(c).fact(new ReservationForgotten(c.stamp(), number));
  }

  public Decision pastReservation(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    PastReservation past = c.view().table(PastReservation.class).get(timer.getSubject());
    if (past != null) {
      decision.fact(new ReservationForgotten(c.stamp(), past.getReservation().getNumber()));
    }
    return decision;
  }
}
