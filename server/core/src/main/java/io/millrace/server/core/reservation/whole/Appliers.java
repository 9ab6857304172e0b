package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.fact.PartHeld;
import io.millrace.schemas.fact.PartSettled;
import io.millrace.schemas.fact.SitePartSeen;
import io.millrace.schemas.fact.SitesConfirming;
import io.millrace.schemas.fact.WholeAnswered;
import io.millrace.schemas.fact.WholeBegun;
import io.millrace.schemas.fact.WholeDecided;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;

/** Applies changes of reservations that have parts. */
public final class Appliers {
  /** Kind of the timers; the subject is the number's key. */
  private static final String DUE = "whole-due";

  public void apply(State state, WholeBegun fact) {
    put(state, fact.getWhole());
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    NumberBlocks.used(numbers, fact.getWhole().getNumber());
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, PartHeld fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, SitesConfirming fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, SitePartSeen fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, WholeDecided fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, PartSettled fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, WholeAnswered fact) {
    put(state, fact.getWhole());
  }

  public void apply(State state, WholeEnded fact) {
    String key = Keys.number(fact.getWhole().getNumber());
    withdraw(state, state.table(ReservationWhole.class).get(key), key);
    state.table(ReservationWhole.class).remove(key);
  }

  private static void put(State state, ReservationWhole after) {
    String key = Keys.number(after.getNumber());
    withdraw(state, state.table(ReservationWhole.class).get(key), key);
    state.table(ReservationWhole.class).put(key, after);
    if (after.getDueMs() > 0) {
      Timers.set(state, after.getDueMs(), DUE, key);
    }
  }

  private static void withdraw(State state, ReservationWhole before, String key) {
    if (before != null && before.getDueMs() > 0) {
      Timers.remove(state, before.getDueMs(), DUE, key);
    }
  }

  /** The clock was set back: what is due is due after as long as it would have been. */
  public static void setBack(State state, long byMs) {
    List<ReservationWhole> timed = new ArrayList<>();
    state
        .table(ReservationWhole.class)
        .each(
            whole -> {
              if (whole.getDueMs() > 0) {
                timed.add(whole);
              }
            });
    for (ReservationWhole before : timed) {
      ReservationWhole after = ReservationWhole.newBuilder(before).build();
      after.setDueMs(before.getDueMs() - byMs);
      put(state, after);
    }
  }
}
