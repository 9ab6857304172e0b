package io.millrace.server.gateway.operand;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as PBS's commands take them: {@code [[[[CC]YY]MM]DD]hhmm[.SS]}. What is left out is taken
 * from now, and where that would be over the next larger part is one more.
 */
public final class PosixDate {

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?:(?:(\\d\\d)?(\\d\\d))?(\\d\\d))?(\\d\\d))?(\\d\\d)(\\d\\d)(?:\\.(\\d\\d))?");
  private static final int CENTURY = 100;
  private static final int PIVOT = 69;

  private PosixDate() {}

  /** Milliseconds since 1970 in the zone of now; nothing for a wrong text. */
  public static Optional<Long> parse(String text, ZonedDateTime now) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      int second = parts.group(7) == null ? 0 : number(parts, 7);
      LocalTime time = LocalTime.of(number(parts, 5), number(parts, 6), second);
      LocalDate date = date(parts, time, now);
      return Optional.of(date.atTime(time).atZone(now.getZone()).toInstant().toEpochMilli());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static LocalDate date(Matcher parts, LocalTime time, ZonedDateTime now) {
    LocalDate today = now.toLocalDate();
    if (parts.group(4) == null) {
      boolean over = !minute(time).isAfter(minute(now.toLocalTime()));
      return over ? today.plusDays(1) : today;
    }
    int day = number(parts, 4);
    if (parts.group(3) == null) {
      LocalDate month = today.withDayOfMonth(1).plusMonths(day < today.getDayOfMonth() ? 1 : 0);
      return month.withDayOfMonth(day);
    }
    int month = number(parts, 3);
    return LocalDate.of(year(parts, month, today), month, day);
  }

  /** Whether a time of day is over goes by its minute. */
  private static LocalTime minute(LocalTime time) {
    return time.truncatedTo(ChronoUnit.MINUTES);
  }

  private static int year(Matcher parts, int month, LocalDate today) {
    if (parts.group(2) == null) {
      return today.getYear() + (month < today.getMonthValue() ? 1 : 0);
    }
    int year = number(parts, 2);
    if (parts.group(1) != null) {
      return number(parts, 1) * CENTURY + year;
    }
    return (year < PIVOT ? 20 : 19) * CENTURY + year;
  }

  private static int number(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }
}
