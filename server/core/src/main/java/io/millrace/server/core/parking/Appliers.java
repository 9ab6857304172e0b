package io.millrace.server.core.parking;

import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.state.Parked;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;

/** Applies that commands wait, and that they do no longer. */
public final class Appliers {

  public void apply(State state, CommandParked fact) {
    Parked parked = fact.getParked();
    state.parked().put(parked.getPlace(), parked);
    Timers.set(state, parked.getUntilMs(), Parking.TIMER, parked.getPlace());
  }

  /** Applies that the clock was set back: commands wait for as long as they would have. */
  public static void setBack(State state, long byMs) {
    List<Parked> all = new ArrayList<>();
    state.parked().scan("", null, (place, parked) -> all.add(parked));
    for (Parked parked : all) {
      Timers.move(state, parked.getUntilMs(), Parking.TIMER, parked.getPlace(), byMs);
      Parked after =
          new Parked(
              parked.getPlace(),
              parked.getSinceMs() - byMs,
              parked.getUntilMs() - byMs,
              parked.getUnits(),
              parked.getCommand());
      state.parked().put(parked.getPlace(), after);
    }
  }

  public void apply(State state, CommandsReleased fact) {
    for (String place : fact.getPlaces()) {
      Parked parked = state.parked().get(place);
      state.parked().remove(place);
      Timers.remove(state, parked.getUntilMs(), Parking.TIMER, place);
    }
  }
}
