package io.millrace.server.core.reservation.past;

import io.millrace.schemas.fact.ReservationForgotten;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies that reservations are forgotten. */
public final class Appliers {

  public void apply(State state, ReservationForgotten fact) {
    PastReservations.remove(state, Keys.number(fact.getNumber()));
  }
}
