package io.millrace.server.gateway.command;

import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time as PBS writes it: {@code [[[[CC]YY]MM]DD]hhmm[.SS]}. What is left out is that of the next
 * such time: today or tomorrow, this month or the next, this year or the next.
 */
final class StartTime {

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d\\d)??(\\d\\d))??(\\d\\d)??(\\d\\d)??(\\d\\d)(\\d\\d)(?:\\.(\\d\\d))?");

  /** Two digits from here on are years of the last century. */
  private static final int CENTURY = 69;

  private StartTime() {}

  /** Milliseconds since 1970 in the zone of now; empty when there is no such time. */
  static Optional<Long> parse(String text, ZonedDateTime now) {
    Matcher match = FORM.matcher(text);
    int digits = text.indexOf('.') < 0 ? text.length() : text.indexOf('.');
    if (!match.matches() || digits > 12 || digits % 2 != 0) {
      return Optional.empty();
    }
    int[] parts = new int[7];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = match.group(i + 1) == null ? -1 : Integer.parseInt(match.group(i + 1));
    }
    try {
      return Optional.of(time(parts, now).toInstant().toEpochMilli());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Parts: century, year, month, day, hour, minute, second; -1 for those that are left out. */
  private static ZonedDateTime time(int[] parts, ZonedDateTime now) {
    int day = parts[3] < 0 ? now.getDayOfMonth() : parts[3];
    YearMonth month = month(parts, now, day);
    ZonedDateTime time =
        ZonedDateTime.of(
            month.getYear(),
            month.getMonthValue(),
            day,
            parts[4],
            parts[5],
            Math.max(0, parts[6]),
            0,
            now.getZone());
    boolean past = parts[3] < 0 && !time.isAfter(now);
    return past ? time.plusDays(1) : time;
  }

  private static YearMonth month(int[] parts, ZonedDateTime now, int day) {
    YearMonth present = YearMonth.from(now);
    if (parts[2] < 0) {
      return day < now.getDayOfMonth() ? present.plusMonths(1) : present;
    }
    if (parts[1] >= 0) {
      int century = parts[0] >= 0 ? parts[0] : parts[1] < CENTURY ? 20 : 19;
      return YearMonth.of(century * 100 + parts[1], parts[2]);
    }
    YearMonth named = YearMonth.of(now.getYear(), parts[2]);
    return named.isBefore(present) ? named.plusYears(1) : named;
  }
}
