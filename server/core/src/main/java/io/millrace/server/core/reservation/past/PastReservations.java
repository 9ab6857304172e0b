package io.millrace.server.core.reservation.past;

import io.millrace.reservations.classad.asked.ReservedTimes;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationCount;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import io.millrace.server.core.state.View;
import java.util.Map;

/** Keeps reservations that have ended for job_history_duration, the latest of a shard. */
public final class PastReservations {
  /** Most that are kept: all of them are in memory. */
  static final long KEPT_MAX = ReservedTimes.PAST_MAX;

  /** Kind of the timer; its subject is the number's key. */
  static final String TIMER = "past-reservation";

  /** Name of the counter of past reservations that are kept. */
  private static final String COUNT = "past";

  private static final String DURATION = "job_history_duration";

  private PastReservations() {}

  /** Keeps one that has ended, unless it was to be forgotten; the oldest makes room for it. */
  public static void keep(State state, ReservationEnded fact) {
    Reservation last = fact.getReservation();
    if (last.getForget()) {
      return;
    }
    String key = Keys.number(last.getNumber());
    remove(state, key);
    if (count(state) >= KEPT_MAX) {
      remove(state, oldest(state));
    }
    long endedMs = fact.getMeta().getAtMs();
    long dueMs = endedMs + historyMs(state);
    state
        .table(PastReservation.class)
        .put(key, new PastReservation(last, endedMs, dueMs, fact.getWhy()));
    Timers.set(state, dueMs, TIMER, key);
    count(state, 1);
  }

  /** How long what has ended is kept. */
  static long historyMs(View view) {
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    String set =
        Context.attribute(server, DURATION, AttributeTable.defaultOf(ObjectKind.SERVER, DURATION));
    return Amounts.milliseconds(AttributeType.parseSeconds(set).orElse(0L));
  }

  static void remove(State state, String key) {
    PastReservation past = state.table(PastReservation.class).get(key);
    if (past != null) {
      state.table(PastReservation.class).remove(key);
      Timers.remove(state, past.getDueMs(), TIMER, key);
      count(state, -1);
    }
  }

  private static String oldest(State state) {
    String[] first = {""};
    state
        .table(PastReservation.class)
        .scan(
            "",
            null,
            (key, past) -> {
              first[0] = key;
              return false;
            });
    return first[0];
  }

  private static long count(State state) {
    ReservationCount count = state.table(ReservationCount.class).get(COUNT);
    return count == null ? 0 : count.getCount();
  }

  private static void count(State state, long by) {
    long now = count(state) + by;
    if (now == 0) {
      state.table(ReservationCount.class).remove(COUNT);
    } else {
      state.table(ReservationCount.class).put(COUNT, new ReservationCount(COUNT, now, Map.of()));
    }
  }
}
