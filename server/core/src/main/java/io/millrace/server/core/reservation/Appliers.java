package io.millrace.server.core.reservation;

import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationAnswered;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.reservation.past.PastReservations;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Applies changes of reservations, and follows the jobs in their queues. */
public final class Appliers {

  public void apply(State state, ReservationSubmitted fact) {
    ReservationRecords.put(state, fact.getReservation());
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    NumberBlocks.used(numbers, fact.getReservation().getNumber());
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, ReservationConfirmed fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationDenied fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationAltered fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationAnswered fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationStarted fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationReturned fact) {
    ReservationRecords.put(state, fact.getReservation());
    ReservationRecords.openQueue(state, fact.getReservation());
  }

  public void apply(State state, ReservationDegraded fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationRetried fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationClosing fact) {
    ReservationRecords.put(state, fact.getReservation());
    ReservationRecords.closeQueue(state, fact.getReservation());
  }

  public void apply(State state, ReservationSettled fact) {
    ReservationRecords.put(state, fact.getReservation());
  }

  public void apply(State state, ReservationEnded fact) {
    ReservationRecords.remove(state, fact.getReservation());
    PastReservations.keep(state, fact);
  }

  /** Keeps the jobs of each reservation findable, and wakes a closing one that waits for them. */
  public void follow(State state, Job before, Job after) {
    ReservedJobs.follow(state, before, after);
  }

  /** Applies that the clock was set back: an answer is due after as long as it would have been. */
  public static void setBack(State state, long byMs) {
    ReservationRecords.setBack(state, byMs);
  }
}
