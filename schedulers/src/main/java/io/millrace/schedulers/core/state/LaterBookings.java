package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import java.util.HashMap;
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
    for (Booked known : before.values()) {
      Booked same = after.get(known.fromMs());
      if (same != null && same.sameAs(known)) {
        after.put(known.fromMs(), known);
        continue;
      }
      calendar.removeLater(known);
      books.holdings().relaxed(known.held(), known.fromMs(), known.toMs());
      books.promiseFacts().touch();
    }
    for (Booked each : now) {
      if (after.get(each.fromMs()) == each) {
        calendar.addLater(each);
        books.promiseFacts().booked(each);
      }
    }
    if (after.isEmpty()) {
      byNumber.remove(number);
    } else {
      byNumber.put(number, after);
    }
  }
}
