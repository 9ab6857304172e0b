package io.millrace.server.core.reservation;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.AwaitedReservation;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.held.HeldBookings;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes reservations together with what follows from them: bookings, timers, the queue. */
final class ReservationRecords {
  /** Kinds of the timers; the subject is the number's key. */
  static final String ANSWER = "reservation-answer";

  static final String START = "reservation-start";
  static final String END = "reservation-end";
  static final String CLOSING = "reservation-closing";

  private ReservationRecords() {}

  /** Puts a reservation, perhaps in the place of an earlier record of it. */
  static void put(State state, Reservation after) {
    Table<Reservation> all = state.table(Reservation.class);
    String key = Keys.number(after.getNumber());
    if (all.get(key) == null) {
      ReservationLimits.count(state, after, 1);
    }
    withdraw(state, all.get(key));
    all.put(key, after);
    book(state, after);
    setTimers(state, after);
    HeldBookings.put(state, after);
    boolean queue = Reservations.hasQueue(after);
    if (queue && state.queues().get(after.getQueue()) == null) {
      state
          .queues()
          .put(
              after.getQueue(),
              Queue.newBuilder()
                  .setName(after.getQueue())
                  .setCounts(Map.of())
                  .setAssigned(Map.of())
                  .build());
    }
  }

  static void closeQueue(State state, Reservation reservation) {
    Queue before = state.queues().get(reservation.getQueue());
    if (before != null) {
      Queue queue = Copies.of(before);
      queue.setClosing(true);
      state.queues().put(queue.getName(), queue);
    }
  }

  static void remove(State state, Reservation last) {
    String key = Keys.number(last.getNumber());
    withdraw(state, state.table(Reservation.class).get(key));
    ReservationLimits.count(state, last, -1);
    state.table(Reservation.class).remove(key);
    state.queues().remove(last.getQueue());
  }

  /** Takes back all that follows from the record. */
  private static void withdraw(State state, Reservation before) {
    if (before == null) {
      return;
    }
    HeldBookings.withdraw(state, before);
    ReservationSpec spec = before.getSpec();
    Table<NodeBooking> bookings = state.table(NodeBooking.class);
    for (BookedNode booked : before.getBooked()) {
      bookings.remove(Keys.booking(booked.getNode(), spec.getStartMs(), before.getNumber()));
    }
    String key = Keys.number(before.getNumber());
    Timers.remove(state, spec.getStartMs(), START, key);
    Timers.remove(state, spec.getEndMs(), END, key);
    if (before.getWaiting() != null) {
      Timers.remove(state, before.getAnswerDueMs(), ANSWER, key);
      state.table(AwaitedReservation.class).remove(Keys.command(before.getWaiting().getId()));
    }
  }

  private static void book(State state, Reservation after) {
    ReservationSpec spec = after.getSpec();
    for (BookedNode booked : after.getBooked()) {
      NodeBooking booking =
          new NodeBooking(
              booked.getNode(),
              after.getNumber(),
              spec.getStartMs(),
              spec.getEndMs(),
              booked.getAmounts(),
              booked.getExclusive());
      String key = Keys.booking(booked.getNode(), spec.getStartMs(), after.getNumber());
      state.table(NodeBooking.class).put(key, booking);
    }
  }

  private static void setTimers(State state, Reservation after) {
    String key = Keys.number(after.getNumber());
    if (!Reservations.isClosing(after)) {
      boolean begun = after.getStartedMs() >= 0;
      if (!begun) {
        Timers.set(state, after.getSpec().getStartMs(), START, key);
      }
      if (begun) {
        Timers.set(state, after.getSpec().getEndMs(), END, key);
      }
    }
    if (after.getWaiting() != null) {
      Timers.set(state, after.getAnswerDueMs(), ANSWER, key);
      CommandId waiting = after.getWaiting().getId();
      state
          .table(AwaitedReservation.class)
          .put(Keys.command(waiting), new AwaitedReservation(waiting, after.getNumber()));
    }
  }

  /** Moves the times at which answers are due, which are lengths of time. */
  static void setBack(State state, long byMs) {
    HeldBookings.setBack(state, byMs);
    List<Reservation> waiting = new ArrayList<>();
    state
        .table(Reservation.class)
        .each(
            reservation -> {
              if (reservation.getWaiting() != null) {
                waiting.add(reservation);
              }
            });
    for (Reservation before : waiting) {
      Reservation after = Copies.of(before);
      after.setAnswerDueMs(before.getAnswerDueMs() - byMs);
      String key = Keys.number(before.getNumber());
      Timers.move(state, before.getAnswerDueMs(), ANSWER, key, byMs);
      state.table(Reservation.class).put(key, after);
    }
  }
}
