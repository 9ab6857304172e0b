package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * When a reservation could begin as soon as possible: now, and when a run or a booking ends; there
 * is no earlier time with more room than these. Whole seconds, none before there is room.
 */
final class SoonestStarts {

  /** So many of the next ends are tried, and then the last one, behind which all is free. */
  static final int TRIED = 200;

  private static final long SECOND_MS = 1000;

  private SoonestStarts() {}

  /**
   * @param latestMs the last time at which it may begin
   * @return rising
   */
  static List<Long> of(SchedulerBooks books, Pool pool, long nowMs, long latestMs) {
    if (second(nowMs) > latestMs) {
      return List.of(); // too late for any
    }
    TreeSet<Long> times = new TreeSet<>();
    times.add(second(nowMs));
    for (long number : books.holdings().numbers()) {
      TimedAllocation held = books.holdings().get(number);
      if (held.endMs() < UsageProfile.FOREVER && lies(held.held(), pool)) {
        times.add(second(held.endMs()));
      }
    }
    BookingCalendar bookings = books.nodes().bookings();
    for (int i = bookings.endsUntil(nowMs); i < bookings.size(); i++) {
      Booked booked = bookings.byEnd(i);
      if (lies(booked.held(), pool)) {
        times.add(second(booked.toMs()));
      }
    }
    List<Long> starts = new ArrayList<>();
    for (long time : times.headSet(latestMs, true).tailSet(second(nowMs))) {
      if (starts.size() < TRIED) {
        starts.add(time);
      } else {
        starts.add(times.floor(latestMs));
        break;
      }
    }
    return starts;
  }

  private static long second(long ms) {
    return Math.floorDiv(ms + SECOND_MS - 1, SECOND_MS) * SECOND_MS;
  }

  /**
   * True when something of the pool, or beside it on one of its hosts, is held: the reservation may
   * want the host to itself.
   */
  private static boolean lies(JobAllocation held, Pool pool) {
    for (int i = 0; i < held.size(); i++) {
      NodeState node = held.node(i);
      boolean beside =
          node.host() != null && node.host().nodes().stream().anyMatch(it -> it.pool() == pool);
      if (node.pool() == pool || beside) {
        return true;
      }
    }
    return false;
  }
}
