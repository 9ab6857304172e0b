package io.millrace.server.core.reservation;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.pbs.resources.BookedTime;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes reservations together with what follows from them: bookings, timers, the queue. */
final class ReservationRecords {
  /** Kinds of the timers; the subject is the number's key. */
  static final String ANSWER = "reservation-answer";

  static final String START = "reservation-start";
  static final String END = "reservation-end";
  static final String CLOSING = "reservation-closing";
  static final String IDLE = "reservation-idle";
  static final String RETRY = "reservation-retry";
  static final String LEAD = "reservation-lead";

  /** Most later occurrences in a record of a booking. */
  private static final int TIMES_TOGETHER = 500;

  private ReservationRecords() {}

  /** Puts a reservation, perhaps in the place of an earlier record of it. */
  static void put(State state, Reservation after) {
    Table<Reservation> all = state.table(Reservation.class);
    String key = Keys.number(after.getNumber());
    Reservation before = all.get(key);
    ReservationLimits.count(state, before, after);
    withdraw(state, before);
    all.put(key, after);
    book(state, slots(before), slots(after));
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
    Reservation before = state.table(Reservation.class).get(key);
    withdraw(state, before);
    book(state, slots(before), Map.of());
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
    HeldBookings.withdraw(state, before);
    ReservationSpec spec = before.getSpec();
    String key = Keys.number(before.getNumber());
    Timers.remove(state, spec.getStartMs(), START, key);
    Timers.remove(state, RunsOfOthers.leadMs(before), LEAD, key);
    Timers.remove(state, spec.getEndMs(), END, key);
    Timers.remove(state, before.getIdleDueMs(), IDLE, key);
    Timers.remove(state, before.getRetryMs(), RETRY, key);
    if (before.getWaiting() != null) {
      Timers.remove(state, before.getAnswerDueMs(), ANSWER, key);
      state.table(AwaitedReservation.class).remove(Keys.command(before.getWaiting().getId()));
    }
  }

  /** What is booked of nodes from a start, and as long from each of some later ones. */
  private record Slot(long number, long endMs, List<Long> laterMs, List<BookedNode> booked) {}

  /**
   * What is booked, by its first start: for the present occurrence, and for so many later ones at a
   * time that lie on the same nodes. Where the next such part begins is counted from the last
   * occurrence, so that an occurrence that is over changes one part alone.
   */
  private static Map<Long, Slot> slots(Reservation reservation) {
    if (reservation == null) {
      return Map.of();
    }
    Map<Long, Slot> slots = new TreeMap<>();
    ReservationSpec spec = reservation.getSpec();
    long number = reservation.getNumber();
    long lengthMs = BookedTime.laterLengthMs(reservation);
    int count = reservation.getLies().size();
    Map<List<Integer>, List<Long>> parts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      List<Integer> part = List.of(reservation.getLies().get(i), (count - 1 - i) / TIMES_TOGETHER);
      parts.computeIfAbsent(part, it -> new ArrayList<>()).add(spec.getLaterMs().get(i));
    }
    parts.forEach(
        (part, startsMs) -> {
          long startMs = startsMs.get(0);
          List<Long> laterMs = List.copyOf(startsMs.subList(1, startsMs.size()));
          List<BookedNode> booked = reservation.getPlacements().get(part.get(0)).getBooked();
          slots.put(startMs, new Slot(number, startMs + lengthMs, laterMs, booked));
        });
    slots.put(
        spec.getStartMs(), new Slot(number, spec.getEndMs(), List.of(), reservation.getBooked()));
    return slots;
  }

  /** Books what is new, and takes back what is no longer booked; the rest is not touched. */
  private static void book(State state, Map<Long, Slot> before, Map<Long, Slot> after) {
    Table<NodeBooking> bookings = state.table(NodeBooking.class);
    before.forEach(
        (startMs, slot) -> {
          if (!slot.equals(after.get(startMs))) {
            for (BookedNode one : slot.booked()) {
              bookings.remove(Keys.booking(one.getNode(), startMs, slot.number()));
            }
          }
        });
    after.forEach(
        (startMs, slot) -> {
          if (!slot.equals(before.get(startMs))) {
            for (BookedNode one : slot.booked()) {
              NodeBooking booking =
                  new NodeBooking(
                      one.getNode(),
                      slot.number(),
                      startMs,
                      slot.endMs(),
                      one.getAmounts(),
                      one.getExclusive(),
                      slot.laterMs());
              bookings.put(Keys.booking(one.getNode(), startMs, slot.number()), booking);
            }
          }
        });
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
      if (begun && after.getIdleDueMs() > 0) {
        Timers.set(state, after.getIdleDueMs(), IDLE, key);
      }
      if (after.getRetryMs() > 0) {
        Timers.set(state, after.getRetryMs(), RETRY, key);
      }
      if (RunsOfOthers.giveWay(after)) {
        // Also for a node that it gets in its window: that has passed then, and comes at once.
        Timers.set(state, RunsOfOthers.leadMs(after), LEAD, key);
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
    HeldBookings.setBack(state, byMs);
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
