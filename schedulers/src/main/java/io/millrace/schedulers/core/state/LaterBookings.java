package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What standing reservations have booked for occurrences behind the next one. */
final class LaterBookings {

  private final SchedulerBooks books;
  private final BookingCalendar calendar;

  /** By reservation and start. */
  private final Map<Long, Map<Long, Booked>> byNumber = new HashMap<>();

  LaterBookings(SchedulerBooks books) {
    this.books = books;
    this.calendar = books.nodes().bookings();
  }

  /** Sets all that a reservation has booked for later. What is as before is not touched. */
  void set(long number, List<Booked> now) {
    Map<Long, Booked> before = byNumber.getOrDefault(number, Map.of());
    if (before.isEmpty() && now.isEmpty()) {
      return;
    }
    Map<Long, Booked> after = new HashMap<>();
    now.forEach(it -> after.put(it.fromMs(), it));
    List<Booked> gone = new ArrayList<>();
    for (Booked known : before.values()) {
      Booked same = after.get(known.fromMs());
      if (same != null && same.sameAs(known)) {
        after.put(known.fromMs(), known);
      } else {
        gone.add(known);
      }
    }
    remove(gone);
    for (Booked each : now) {
      if (after.get(each.fromMs()) == each) {
        calendar.addLater(each);
        books.promiseFacts().booked(each);
        books.preemption().touch();
      }
    }
    if (after.isEmpty()) {
      byNumber.remove(number);
    } else {
      byNumber.put(number, after);
    }
  }

  /** From the last to the first, since what is booked behind one moves up when that goes. */
  private void remove(List<Booked> gone) {
    gone.sort(Comparator.comparingLong(Booked::fromMs).reversed());
    Map<JobAllocation, ReservationWindow> freed = new LinkedHashMap<>();
    for (Booked each : gone) {
      calendar.removeLater(each);
      freed.merge(
          each.held(),
          new ReservationWindow(each.fromMs(), each.toMs()),
          (later, earlier) -> new ReservationWindow(earlier.fromMs(), later.toMs()));
    }
    // In between nothing may have become free; a look at that time is in vain then, and no more.
    freed.forEach((held, window) -> books.holdings().relaxed(held, window.fromMs(), window.toMs()));
    if (!gone.isEmpty()) {
      books.promiseFacts().touch();
      books.preemption().touch();
    }
  }
}
