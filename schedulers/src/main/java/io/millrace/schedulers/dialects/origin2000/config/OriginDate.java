package io.millrace.schedulers.dialects.origin2000.config;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A date with its time of day, {@code MM/DD/YYYY@HH:MM:SS}, in the zone of the host. */
public final class OriginDate {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,4})@(\\d{1,2}):(\\d{1,2}):(\\d{1,2})");
  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("MM/dd/uuuu@HH:mm:ss", Locale.ROOT);
  private static final int MONTHS = 12;
  private static final int DAYS = 31;
  private static final int HOURS = 23;
  private static final int MINUTES = 59;

  private OriginDate() {}

  /**
   * Seconds since 1970. A day that its month does not have is one of the next month: 30 February is
   * 1 or 2 March. A time that a clock change leaves out is that much later.
   *
   * @throws IllegalArgumentException with what is wrong with it
   */
  static long read(String text, ZoneId zone) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("it is neither a word for true or false nor such a date");
    }
    int month = bounded(parts, 1, MONTHS, "month");
    int day = bounded(parts, 2, DAYS, "day");
    if (month == 0 || day == 0) {
      throw new IllegalArgumentException("months and days begin at 1");
    }
    LocalDate date = LocalDate.of(Integer.parseInt(parts.group(3)), month, 1).plusDays(day - 1L);
    LocalDateTime time =
        date.atTime(bounded(parts, 4, HOURS, "hour"), bounded(parts, 5, MINUTES, "minute"))
            .plusSeconds(bounded(parts, 6, MINUTES + 1, "second"));
    return time.atZone(zone).toEpochSecond();
  }

  private static int bounded(Matcher parts, int group, int most, String what) {
    int number = Integer.parseInt(parts.group(group));
    if (number > most) {
      throw new IllegalArgumentException("the " + what + " " + number + " is above " + most);
    }
    return number;
  }

  /** The date as it is written in a configuration. */
  public static String write(long seconds, ZoneId zone) {
    return Instant.ofEpochSecond(seconds).atZone(zone).format(WRITTEN);
  }
}
