package io.millrace.schemas.pbs.schedconfig.calendar;

import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a dedicated_time file: lines of two moments. */
public final class DedicatedReader {

  /** Takes all blanks at once: tried in every length, many of them would take a time squared. */
  private static final String MOMENT =
      "([+-]?\\d{1,6})/\\s*+([+-]?\\d{1,6})/\\s*+([+-]?\\d{1,6})"
          + "\\s++([+-]?\\d{1,6}):\\s*+([+-]?\\d{1,6})";

  private static final Pattern LINE = Pattern.compile(MOMENT + "\\s++" + MOMENT + "(?<rest>.*)");

  private static final int PARTS = 5;

  /** Years below are of two digits, or nonsense. */
  private static final int CENTURY = 1900;

  private final String file;
  private final List<DedicatedTimes.DedicatedTime> spans = new ArrayList<>();
  private final List<PolicyFinding> findings = new ArrayList<>();
  private int line;

  private DedicatedReader(String file) {
    this.file = file;
  }

  /** What a text says, and what is wrong with it. */
  public record DedicatedTimesRead(DedicatedTimes times, List<PolicyFinding> findings) {}

  /** Reads a text; never throws. */
  public static DedicatedTimesRead read(String file, String text) {
    DedicatedReader reader = new DedicatedReader(file);
    for (String line : text.split("\n", -1)) {
      reader.line++;
      String content = line.strip();
      if (!content.isEmpty() && content.charAt(0) != '*' && content.charAt(0) != '#') {
        reader.take(content);
      }
    }
    return new DedicatedTimesRead(new DedicatedTimes(reader.spans), List.copyOf(reader.findings));
  }

  private void take(String content) {
    Matcher matcher = LINE.matcher(content);
    if (!matcher.matches()) {
      wrong(
          "'" + content + "' is not MM/DD/YYYY HH:MM MM/DD/YYYY HH:MM",
          "passes over the line without a word");
      return;
    }
    int[] from = parts(matcher, 1);
    int[] to = parts(matcher, 1 + PARTS);
    boolean shortYear = from[2] < CENTURY || to[2] < CENTURY;
    if (shortYear) {
      wrong(
          "the years must have four digits",
          "takes the second for one of the last century, so that the line has no effect");
      return;
    }
    LocalDateTime begin = moment(from);
    LocalDateTime end = moment(to);
    if (begin == null || end == null) {
      wrong("there is no such date", "passes over the line without a word");
      return;
    }
    boolean proper = proper(from, begin) && proper(to, end);
    if (!proper) {
      wrong(
          "there is no such date or time",
          "carries it over to the next day or month: " + begin + " to " + end);
    }
    if (begin.isAfter(end)) {
      wrong(
          "the dedicated time ends at " + end + " before it begins at " + begin,
          "logs that the From date is greater than the To date");
      return;
    }
    if (!matcher.group("rest").isBlank()) {
      wrong("'" + matcher.group("rest").strip() + "' stands behind the times", "passes over it");
    }
    spans.add(new DedicatedTimes.DedicatedTime(begin, end));
  }

  private static int[] parts(Matcher matcher, int first) {
    int[] parts = new int[PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[i] = Integer.parseInt(matcher.group(first + i));
    }
    return parts;
  }

  /** The moment, what is out of range carried over; null when it is out of every calendar. */
  private static LocalDateTime moment(int[] parts) {
    try {
      return LocalDate.of(parts[2], 1, 1)
          .plusMonths(parts[0] - 1L)
          .plusDays(parts[1] - 1L)
          .atStartOfDay()
          .plusHours(parts[3])
          .plusMinutes(parts[4]);
    } catch (DateTimeException e) {
      // Years of six digits and more are beyond what dates can hold; the caller says so.
      return null;
    }
  }

  private static boolean proper(int[] parts, LocalDateTime moment) {
    return moment.getMonthValue() == parts[0]
        && moment.getDayOfMonth() == parts[1]
        && moment.getYear() == parts[2]
        && moment.getHour() == parts[3]
        && moment.getMinute() == parts[4];
  }

  private void wrong(String reason, String inPbs) {
    findings.add(new PolicyFinding(file, line, reason, inPbs, true));
  }
}
