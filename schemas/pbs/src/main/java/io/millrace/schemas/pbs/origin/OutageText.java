package io.millrace.schemas.pbs.origin;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What DEDICATED_TIME_COMMAND prints: {@code NAME MM/DD/YYYY HH:MM-HH:MM MM/DD/YYYY}, a line for
 * each dedicated time; lines with eight blanks before them continue the one above.
 */
public final class OutageText {

  private static final String NOTHING = "No scheduled downtime for the specified period.";
  private static final Pattern LINE =
      Pattern.compile(
          "\\s*(\\S+)\\s+(\\d\\d)/(\\d\\d)/(\\d{4})\\s+(\\d\\d):(\\d\\d)\\s*-\\s*(\\d\\d):(\\d\\d)"
              + "\\s+(\\d\\d)/(\\d\\d)/(\\d{4})(\\s.*)?");
  private static final int LINE_MAX = 8_190;

  private OutageText() {}

  /**
   * The dedicated times of a name that are not over; empty when the output cannot be used.
   *
   * @param name in small letters
   */
  public static Optional<List<Outage>> read(String output, String name, long now, ZoneId zone) {
    List<Outage> outages = new ArrayList<>();
    boolean usable = false;
    for (String line : output.split("\r?\n")) {
      if (line.startsWith("ERROR") || line.length() > LINE_MAX) {
        return Optional.empty();
      }
      if (line.equals(NOTHING)) {
        usable = true;
        break;
      }
      Matcher fields = line.startsWith(" ".repeat(8)) ? null : LINE.matcher(line);
      Optional<Outage> found =
          fields != null && fields.matches() ? outage(fields, zone) : Optional.empty();
      usable |= found.isPresent();
      found
          .filter(it -> it.name().equals(name) && it.begin() < it.end() && it.end() > now)
          .filter(it -> !line.contains("CANCELLED"))
          .ifPresent(outages::add);
    }
    return usable ? Optional.of(outages) : Optional.empty();
  }

  private static Optional<Outage> outage(Matcher fields, ZoneId zone) {
    try {
      return Optional.of(
          new Outage(
              fields.group(1).toLowerCase(Locale.ROOT),
              moment(fields, 2, 5, zone),
              moment(fields, 9, 7, zone)));
    } catch (DateTimeException e) {
      return Optional.empty(); // 02/30 or 25:00: no line that tells a dedicated time
    }
  }

  private static long moment(Matcher fields, int date, int time, ZoneId zone) {
    LocalDate day =
        LocalDate.of(number(fields, date + 2), number(fields, date), number(fields, date + 1));
    return day.atTime(number(fields, time), number(fields, time + 1)).atZone(zone).toEpochSecond();
  }

  private static int number(Matcher fields, int group) {
    return Integer.parseInt(fields.group(group));
  }
}
