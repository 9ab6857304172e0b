package io.millrace.server.gateway.reservation;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.List;

/** Times in the short list of reservations; by hand, as a long list has twenty thousand. */
final class ReservationTimes {

  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private ReservationTimes() {}

  /** As PBS: the nearer, the shorter; a week begins on Sunday and ends with the year. */
  static String text(long ms, long nowMs, ZoneId zone) {
    LocalDateTime then = LocalDateTime.ofInstant(Instant.ofEpochMilli(ms), zone);
    LocalDate today = LocalDateTime.ofInstant(Instant.ofEpochMilli(nowMs), zone).toLocalDate();
    LocalDate day = then.toLocalDate();
    StringBuilder text = new StringBuilder(17);
    if (day.getYear() != today.getYear()) {
      // PBS writes a longer one and cuts it within the hour.
      date(text, day).append(' ').append(day.getYear());
    } else if (day.equals(today)) {
      text.append("Today");
    } else {
      text.append(DAYS.get(day.getDayOfWeek().ordinal()));
      LocalDate sunday = today.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
      if (day.isBefore(sunday) || !day.isBefore(sunday.plusWeeks(1))) {
        date(text.append(' '), day);
      }
    }
    two(text.append(' '), then.getHour());
    return two(text.append(':'), then.getMinute()).toString();
  }

  private static StringBuilder date(StringBuilder text, LocalDate day) {
    text.append(MONTHS.get(day.getMonthValue() - 1)).append(' ');
    return two(text, day.getDayOfMonth());
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
