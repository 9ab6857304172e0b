package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import java.util.function.Consumer;

/** The part of a walk through time that goes through the bookings. */
final class BookingWalk {

  private final BookingCalendar bookings;

  // Positions up to which bookings have ended, and have come into the window.
  private int ended;
  private int inSight;

  // When the next one ends and the next one begins: a walk goes by thousands of ends of runs, and
  // most bookings lie behind all of them.
  private long endsMs;
  private long startsMs;

  BookingWalk(BookingCalendar bookings) {
    this.bookings = bookings;
  }

  void begin(long timeMs, long endMs) {
    ended = bookings.endsUntil(timeMs);
    inSight = bookings.startsUntil(Math.max(timeMs, endMs - 1));
    lookAhead();
  }

  private void lookAhead() {
    boolean none = ended == bookings.size();
    endsMs = none ? UsageProfile.NEVER : bookings.byEnd(ended).toMs();
    boolean nobody = inSight == bookings.size();
    startsMs = nobody ? UsageProfile.NEVER : bookings.byStart(inSight).fromMs();
  }

  /** Time of the next end of a booking; {@link UsageProfile#NEVER} when there is none. */
  long nextEndMs() {
    return endsMs;
  }

  /** True when moving on to a time may pass any booking. */
  boolean passesAny(long timeMs, long endMs) {
    return endsMs <= timeMs || startsMs <= timeMs || startsMs < endMs;
  }

  /**
   * Passes the bookings up to a time.
   *
   * @param freed is told of those that have ended
   * @param narrowed is told of those that have come into the window; one that begins in it later
   *     takes no room from jobs that were counted beside it
   */
  void moveTo(
      long timeMs, long endMs, Consumer<JobAllocation> freed, Consumer<JobAllocation> narrowed) {
    while (ended < bookings.size() && bookings.byEnd(ended).toMs() <= timeMs) {
      freed.accept(bookings.byEnd(ended++).held());
    }
    while (inSight < bookings.size() && comes(bookings.byStart(inSight), timeMs, endMs)) {
      narrowed.accept(bookings.byStart(inSight++).held());
    }
    lookAhead();
  }

  /** Number of bookings that moving on to a time would pass. */
  int until(long timeMs, long endMs) {
    int ends = bookings.endsUntil(timeMs) - ended;
    return ends + Math.max(0, bookings.startsUntil(Math.max(timeMs, endMs - 1)) - inSight);
  }

  /** Tells of the bookings that would come into the window up to a later time. */
  void coming(long timeMs, long endMs, Consumer<JobAllocation> told) {
    for (int i = inSight; i < bookings.size() && comes(bookings.byStart(i), timeMs, endMs); i++) {
      told.accept(bookings.byStart(i).held());
    }
  }

  private static boolean comes(Booked booked, long timeMs, long endMs) {
    return booked.fromMs() <= timeMs || booked.fromMs() < endMs;
  }
}
