package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of options: {@code [[CC]YY]MMDDhhmm[.SS]}. */
public final class StartTime {

  private static final Pattern FORM =
      Pattern.compile("(\\d{4}|\\d{2})?(\\d{2})(\\d{2})(\\d{2})(\\d{2})(?:\\.(\\d{2}))?");

  private StartTime() {}

  /**
   * Seconds since 1970 in the gateway's time zone.
   *
   * @param command whose option it is
   */
  public static long seconds(String command, String text, Clock clock) {
    return seconds(command, "-a", text, clock);
  }

  /**
   * Seconds since 1970 in the gateway's time zone.
   *
   * @param option of the command that gives the time
   */
  public static long seconds(String command, String option, String text, Clock clock) {
    Matcher match = FORM.matcher(text);
    if (match.matches()) {
      try {
        LocalDateTime now = LocalDateTime.now(clock);
        String year = match.group(1);
        int y = year == null ? now.getYear() : Integer.parseInt(year);
        LocalDateTime time =
            LocalDateTime.of(
                year != null && year.length() == 2 ? 2000 + y : y,
                number(match, 2),
                number(match, 3),
                number(match, 4),
                number(match, 5),
                match.group(6) == null ? 0 : number(match, 6));
        return time.atZone(clock.getZone()).toEpochSecond();
      } catch (DateTimeException e) {
        // No such day or hour: refused below.
      }
    }
    throw new RequestRefused(
        "\nInvalid format of date/hour-minute field.\n"
            + command
            + ": Wrong date/time format \""
            + text
            + "\" specified to "
            + option
            + " option",
        7);
  }

  private static int number(Matcher match, int group) {
    return Integer.parseInt(match.group(group));
  }
}
