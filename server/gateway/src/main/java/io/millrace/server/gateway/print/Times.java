package io.millrace.server.gateway.print;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;

/** Times and durations in PBS's forms. */
public final class Times {

  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH);
  private static final DateTimeFormatter COMMENT =
      DateTimeFormatter.ofPattern("EEE MMM dd 'at' HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter LOG =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ENGLISH);

  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm");
  private static final long WEEK_MS = 7 * 86_400_000L;
  private static final int YEARS_MAX = 5;

  private final ZoneId zone;

  public Times(ZoneId zone) {
    this.zone = zone;
  }

  /** {@code Fri Nov 20 15:35:54 2026}. */
  public String ctime(long ms) {
    return CTIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  /** {@code Fri Nov 20 at 15:35}. */
  public String inComment(long ms) {
    return COMMENT.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  /** {@code 11/20/2026 15:35:54}. */
  public String inLog(long ms) {
    return LOG.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  /**
   * When something is to happen, in at most five columns: {@code 15:35} today, {@code Su 15} within
   * a week, {@code Dec} this year, {@code 2027}.
   */
  public String expected(long ms, long nowMs) {
    ZonedDateTime then = Instant.ofEpochMilli(ms).atZone(zone);
    ZonedDateTime now = Instant.ofEpochMilli(nowMs).atZone(zone);
    if (then.toLocalDate().equals(now.toLocalDate())) {
      return TODAY.format(then);
    }
    if (ms - nowMs < WEEK_MS) {
      String day = then.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
      return String.format("%.2s %02d", day, then.getHour());
    }
    if (then.getYear() == now.getYear()) {
      return then.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
    }
    return then.getYear() - now.getYear() < YEARS_MAX ? Integer.toString(then.getYear()) : ">5yrs";
  }

  /** {@code 01:02:03}. */
  public static String duration(long seconds) {
    return String.format("%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** {@code 01:02}, hours and minutes. */
  public static String hoursMinutes(long seconds) {
    return String.format("%02d:%02d", seconds / 3600, seconds / 60 % 60);
  }
}
