package io.millrace.server.gateway.reservation;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** Times in the short list of reservations. */
final class ReservationTimes {

  private static final DateTimeFormatter TODAY = form("'Today' HH:mm");
  private static final DateTimeFormatter THIS_WEEK = form("EEE HH:mm");
  private static final DateTimeFormatter THIS_YEAR = form("EEE MMM dd HH:mm");

  /** PBS writes a longer one and cuts it within the hour. */
  private static final DateTimeFormatter OTHER_YEAR = form("MMM dd yyyy HH:mm");

  private ReservationTimes() {}

  private static DateTimeFormatter form(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
  }

  /** As PBS: the nearer, the shorter; a week begins on Sunday and ends with the year. */
  static String text(long ms, long nowMs, ZoneId zone) {
    ZonedDateTime then = Instant.ofEpochMilli(ms).atZone(zone);
    ZonedDateTime now = Instant.ofEpochMilli(nowMs).atZone(zone);
    if (then.getYear() != now.getYear()) {
      return OTHER_YEAR.format(then);
    }
    LocalDate day = then.toLocalDate();
    if (day.equals(now.toLocalDate())) {
      return TODAY.format(then);
    }
    LocalDate sunday = now.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
    boolean week = !day.isBefore(sunday) && day.isBefore(sunday.plusWeeks(1));
    return (week ? THIS_WEEK : THIS_YEAR).format(then);
  }
}
