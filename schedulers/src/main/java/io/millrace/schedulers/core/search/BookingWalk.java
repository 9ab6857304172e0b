package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import java.util.function.Consumer;

/** The part of a walk through time that goes through the bookings. */
final class BookingWalk {

  private final BookingCalendar bookings;

  // Positions up to which bookings have begun, have ended, and have come into the window.
  private int started;
  private int ended;
  private int inSight;

  BookingWalk(BookingCalendar bookings) {
    this.bookings = bookings;
  }

  void begin(long timeMs, long endMs) {
    started = bookings.startsUntil(timeMs);
    ended = bookings.endsUntil(timeMs);
    inSight = Math.max(started, bookings.startsUntil(endMs - 1));
  }

  /** Time of the next end of a booking; {@link UsageProfile#NEVER} when there is none. */
  long nextEndMs() {
    return ended < bookings.size() ? bookings.byEnd(ended).toMs() : UsageProfile.NEVER;
  }

  /**
   * Passes the bookings up to a time.
   *
   * @param freed is told of those that have ended
   * @param narrowed is told of those that have begun, or have come into the window
   */
  void moveTo(
      long timeMs, long endMs, Consumer<JobAllocation> freed, Consumer<JobAllocation> narrowed) {
    while (started < bookings.size() && bookings.byStart(started).fromMs() <= timeMs) {
      narrowed.accept(bookings.byStart(started++).held());
    }
    while (ended < bookings.size() && bookings.byEnd(ended).toMs() <= timeMs) {
      freed.accept(bookings.byEnd(ended++).held());
    }
    inSight = Math.max(inSight, started);
    while (inSight < bookings.size() && bookings.byStart(inSight).fromMs() < endMs) {
      narrowed.accept(bookings.byStart(inSight++).held());
    }
  }
}
