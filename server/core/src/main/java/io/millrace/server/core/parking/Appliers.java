package io.millrace.server.core.parking;

import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.state.Parked;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;

/** Applies that commands wait, and that they do no longer. */
public final class Appliers {

  public void apply(State state, CommandParked fact) {
    Parked parked = fact.getParked();
    state.parked().put(parked.getPlace(), parked);
    Timers.set(state, parked.getUntilMs(), Parking.TIMER, parked.getPlace());
  }

  public void apply(State state, CommandsReleased fact) {
    for (String place : fact.getPlaces()) {
      Parked parked = state.parked().get(place);
      state.parked().remove(place);
      Timers.remove(state, parked.getUntilMs(), Parking.TIMER, place);
    }
  }
}
