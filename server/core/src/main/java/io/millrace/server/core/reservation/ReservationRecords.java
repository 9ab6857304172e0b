package io.millrace.server.core.reservation;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.AwaitedReservation;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.held.HeldTimers;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes reservations together with what follows from them: timers, the queue. What they book of
 * nodes follows from their records wherever these are kept.
 */
final class ReservationRecords {
  /** Kinds of the timers; the subject is the number's key. */
  static final String ANSWER = "reservation-answer";

  static final String START = "reservation-start";
  static final String END = "reservation-end";
  static final String CLOSING = "reservation-closing";
  static final String IDLE = "reservation-idle";
  static final String RETRY = "reservation-retry";
  static final String LEAD = "reservation-lead";

  private ReservationRecords() {}

  /** Puts a reservation, perhaps in the place of an earlier record of it. */
  static void put(State state, Reservation after) {
    Table<Reservation> all = state.table(Reservation.class);
    String key = Keys.number(after.getNumber());
    Reservation before = all.get(key);
    ReservationLimits.count(state, before, after);
    withdraw(state, before);
    all.put(key, after);
    setTimers(state, after);
    HeldTimers.put(state, after);
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
    Reservation before = state.table(Reservation.class).get(key);
    withdraw(state, before);
    ReservationLimits.count(state, before, null);
    state.table(Reservation.class).remove(key);
    state.queues().remove(last.getQueue());
  }

  static void openQueue(State state, Reservation reservation) {
    Queue queue = Copies.of(state.queues().get(reservation.getQueue()));
    queue.setClosing(false);
    state.queues().put(queue.getName(), queue);
  }

  /** Takes back the timers that follow from the record, and who waits. */
  private static void withdraw(State state, Reservation before) {
    if (before == null) {
      return;
    }
    HeldTimers.withdraw(state, before);
    String key = Keys.number(before.getNumber());
    timers(before).forEach((kind, dueMs) -> Timers.remove(state, dueMs, kind, key));
    if (before.getWaiting() != null) {
      state.table(AwaitedReservation.class).remove(Keys.command(before.getWaiting().getId()));
    }
  }

  private static void setTimers(State state, Reservation after) {
    String key = Keys.number(after.getNumber());
    timers(after).forEach((kind, dueMs) -> Timers.set(state, dueMs, kind, key));
    if (after.getWaiting() != null) {
      CommandId waiting = after.getWaiting().getId();
      state
          .table(AwaitedReservation.class)
          .put(Keys.command(waiting), new AwaitedReservation(waiting, after.getNumber()));
    }
  }

  /**
   * When which timers of a record are due, by their kinds. Those that it has not are not taken back
   * either: each would be one more record of the changelog.
   */
  private static Map<String, Long> timers(Reservation of) {
    Map<String, Long> dueMs = new HashMap<>();
    if (!Reservations.isClosing(of)) {
      boolean begun = of.getStartedMs() >= 0;
      dueMs.put(begun ? END : START, begun ? of.getSpec().getEndMs() : of.getSpec().getStartMs());
      if (begun && of.getIdleDueMs() > 0) {
        dueMs.put(IDLE, of.getIdleDueMs());
      }
      if (of.getRetryMs() > 0) {
        dueMs.put(RETRY, of.getRetryMs());
      }
      if (RunsOfOthers.giveWay(of)) {
        // Also for a node that it gets in its window: that has passed then, and comes at once.
        dueMs.put(LEAD, RunsOfOthers.leadMs(of));
      }
    }
    if (of.getWaiting() != null) {
      dueMs.put(ANSWER, of.getAnswerDueMs());
    }
    return dueMs;
  }

  /**
   * Sets when it is deleted if it gets no job before.
   *
   * @param dueMs 0 while it has one
   */
  static void setIdle(State state, Reservation before, long dueMs) {
    String key = Keys.number(before.getNumber());
    Timers.remove(state, before.getIdleDueMs(), IDLE, key);
    Reservation after = Copies.of(before);
    after.setIdleDueMs(dueMs);
    state.table(Reservation.class).put(key, after);
    if (dueMs > 0) {
      Timers.set(state, dueMs, IDLE, key);
    }
  }

  /**
   * Moves the times at which answers are due, at which those without a job are deleted, and at
   * which lost nodes are looked for again; all are lengths of time.
   */
  static void setBack(State state, long byMs) {
    HeldTimers.setBack(state, byMs);
    List<Reservation> moved = new ArrayList<>();
    state
        .table(Reservation.class)
        .each(
            reservation -> {
              if (reservation.getWaiting() != null
                  || reservation.getIdleDueMs() > 0
                  || reservation.getRetryMs() > 0) {
                moved.add(reservation);
              }
            });
    for (Reservation before : moved) {
      Reservation after = Copies.of(before);
      String key = Keys.number(before.getNumber());
      if (before.getWaiting() != null) {
        after.setAnswerDueMs(before.getAnswerDueMs() - byMs);
        Timers.move(state, before.getAnswerDueMs(), ANSWER, key, byMs);
      }
      if (before.getIdleDueMs() > 0) {
        after.setIdleDueMs(before.getIdleDueMs() - byMs);
        Timers.move(state, before.getIdleDueMs(), IDLE, key, byMs);
      }
      if (before.getRetryMs() > 0) {
        after.setRetryMs(before.getRetryMs() - byMs);
        Timers.move(state, before.getRetryMs(), RETRY, key, byMs);
      }
      state.table(Reservation.class).put(key, after);
    }
  }
}
