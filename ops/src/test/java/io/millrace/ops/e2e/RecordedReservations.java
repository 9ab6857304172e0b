package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers and times of the reservations of a recording. A line asks here for the time that lies as
 * far ahead as the recorded one did, in the same form; what is shown is compared as the time that
 * has passed since the recording began.
 */
final class RecordedReservations {

  private static final Pattern MADE = Pattern.compile("([RSM])(\\d+)\\.\\S+ [A-Z]+\n");
  private static final Pattern ID = Pattern.compile("\\b([RSM])(\\d+)\\b");

  /** A time of day, or a whole date with one, with seconds or not, that an option is given. */
  private static final Pattern ASKED =
      Pattern.compile("(?<= -[RE] )(\\d{8})?([01]\\d|2[0-3])([0-5]\\d)(?=[. ]|$)");

  /** A row of the table, which cuts the names of the server and of the user's host. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^([RSM]\\d+)[.\\w-]*( +[RSM]\\d+ +\\w+)(?:@\\S*)?(?= )");

  private static final Pattern SHOWN =
      Pattern.compile(
          "\\b(Today|Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?: \\w{3} \\d\\d)? (\\d\\d:\\d\\d)\\b(?!:)");
  private static final Pattern IN_FULL =
      Pattern.compile("(?m)(?<=^reserve_(?:start|end) = )\\w{3} \\w{3} [ \\d]\\d \\S+ \\d{4}$");

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd");
  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  /** A row of the table from its start on. */
  private static final Pattern TIMES =
      Pattern.compile(
          "(?m)^([RSM]\\d+)\\b(.*) \\S+ \\d\\d:\\d\\d / (\\S+) / \\S+ \\d\\d:\\d\\d *$");

  /** The recorded host's clock was in UTC. */
  private static final Pattern SECONDS = Pattern.compile("\\b(start|end)=(\\d+)\\b");

  private final LocalDateTime there;
  private final LocalDateTime here;
  private final Map<String, String> numbers = new HashMap<>();

  /** Recorded names of those that began as soon as a job had room or had begun, and those here. */
  private final Set<String> soonest = new HashSet<>();

  private final Set<String> soonestHere = new HashSet<>();

  /**
   * @param there a moment of the recording, by its clock
   * @param here the moment that stands for it
   */
  RecordedReservations(LocalDateTime there, LocalDateTime here) {
    this.there = there;
    this.here = here;
  }

  /** A recorded line as it is typed here. */
  String typed(String line) {
    return mine(
        ASKED
            .matcher(line)
            .replaceAll(
                m -> {
                  LocalTime time = LocalTime.of(number(m.group(2)), number(m.group(3)));
                  LocalDate day =
                      m.group(1) == null ? there.toLocalDate() : LocalDate.parse(m.group(1), DAY);
                  LocalDateTime at = here.plus(Duration.between(there, day.atTime(time)));
                  String date = m.group(1) == null ? "" : at.format(DAY);
                  return date + at.format(DateTimeFormatter.ofPattern("HHmm"));
                }));
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  /** Notes the number that a reservation has here. */
  void learn(Entry entry, Shell.Answer answer) {
    Matcher recorded = MADE.matcher(entry.out());
    Matcher made = MADE.matcher(answer.out());
    if (recorded.matches() && made.lookingAt()) {
      String theirs = recorded.group(1) + recorded.group(2);
      numbers.put(theirs, made.group(1) + made.group(2));
      if (entry.line().matches(".* (-Wqmove=|--job )\\d+.*")) {
        soonest.add(theirs);
        soonestHere.add(numbers.get(theirs));
      }
    }
  }

  /** The reservations that an answer is about, if it is one that they were made. */
  List<String> made(Shell.Answer answer) {
    return MADE.matcher(answer.out()).results().map(it -> it.group(1) + it.group(2)).toList();
  }

  /** A recorded text with the numbers that reservations have here. */
  String mine(String text) {
    return ID.matcher(text).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
  }

  /** A text of the recording without dates. */
  String recorded(String text) {
    return since(there, soon(soonest, text));
  }

  /** A text of this place without dates. */
  String answered(String text) {
    return since(here, soon(soonestHere, text));
  }

  /**
   * A text of an accounting line with what has passed since the beginning in place of its times.
   *
   * @param name the recorded one
   */
  String accounted(String name, String text, boolean isRecorded) {
    LocalDateTime begin = isRecorded ? there : here;
    ZoneId zone = isRecorded ? ZoneOffset.UTC : ZoneId.systemDefault();
    return SECONDS
        .matcher(text.replaceAll("\\bctime=\\d+", "ctime=TIME"))
        .replaceAll(
            m -> {
              Instant at = Instant.ofEpochSecond(Long.parseLong(m.group(2)));
              String passed = after(begin, LocalDateTime.ofInstant(at, zone));
              return m.group(1) + "=" + (soonest.contains(name) ? "SOON" : passed);
            });
  }

  /** Nobody has asked for a time, and it is another one each time. */
  private static String soon(Set<String> names, String text) {
    return TIMES
        .matcher(text)
        .replaceAll(
            row -> {
              String soon = row.group(1) + row.group(2) + " SOON / " + row.group(3) + " / SOON";
              return Matcher.quoteReplacement(names.contains(row.group(1)) ? soon : row.group());
            });
  }

  private static String since(LocalDateTime begin, String text) {
    String full =
        IN_FULL
            .matcher(ROW.matcher(text).replaceAll("$1$2"))
            .replaceAll(
                m -> {
                  String date = m.group().replaceAll(" +", " ");
                  return after(begin, LocalDateTime.parse(date, CTIME));
                });
    return SHOWN
        .matcher(full)
        .replaceAll(m -> after(begin, day(begin, m.group(1)).atTime(LocalTime.parse(m.group(2)))));
  }

  private static LocalDate day(LocalDateTime begin, String word) {
    LocalDate day = begin.toLocalDate();
    for (DayOfWeek each : DayOfWeek.values()) {
      if (each.name().startsWith(word.toUpperCase(Locale.ROOT))) {
        return day.plusDays(Math.floorMod(each.getValue() - day.getDayOfWeek().getValue(), 7));
      }
    }
    return day;
  }

  private static String after(LocalDateTime begin, LocalDateTime time) {
    return "+" + Duration.between(begin, time).toSeconds() + "s";
  }
}
