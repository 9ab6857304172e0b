package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Windows and numbers of the reservations of a session that was recorded on a Grid Engine. All of
 * its windows are asked for here as much later as the first one is. Of the moments that are shown
 * those that were asked for are compared, on the recorded clock.
 */
final class RecordedWindows {

  /** How long before its first window a session begins: as long as its lines may take till then. */
  private static final Duration LEAD = Duration.ofSeconds(45);

  private static final DateTimeFormatter ASKED = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");

  private static final List<DateTimeFormatter> SHOWN =
      List.of(
          DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss"),
          DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));

  private static final List<Pattern> MOMENTS =
      List.of(
          Pattern.compile("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d"),
          Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"));

  /** A window in the time of its session, which alone is told to the second. */
  private static final Pattern WINDOW =
      Pattern.compile(
          "(?<= -a )(\\d{12}\\.\\d\\d)(?: -e (\\d{12}\\.\\d\\d)| -d (\\d+):(\\d+):(\\d+))\\b");

  private static final Pattern GRANTED =
      Pattern.compile("Your advance reservation (\\d+) has been granted\n");

  private static final Pattern OPERAND = Pattern.compile("(?<= -ar |^qrdel )\\d+\\b");

  private final LocalDateTime there;
  private final Set<LocalDateTime> asked = new HashSet<>();
  private final Map<String, String> numbers = new HashMap<>();

  /** The moment that stands for the recorded one; null before the first window is asked for. */
  private LocalDateTime here;

  /**
   * Windows of a session.
   *
   * @param there when the first one begins, by the recorded clock
   */
  RecordedWindows(LocalDateTime there) {
    this.there = there;
  }

  /** A recorded line with the times and numbers of this place. */
  String typed(String line) {
    String shifted = WINDOW.matcher(line).replaceAll(this::window);
    return OPERAND.matcher(shifted).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
  }

  private String window(MatchResult window) {
    LocalDateTime start = LocalDateTime.parse(window.group(1), ASKED);
    if (here == null) {
      here = LocalDateTime.now().withNano(0).plus(LEAD);
    }
    asked.add(start);
    if (window.group(2) != null) {
      LocalDateTime end = LocalDateTime.parse(window.group(2), ASKED);
      asked.add(end);
      return shifted(start) + " -e " + shifted(end);
    }
    Duration length =
        Duration.ofHours(Long.parseLong(window.group(3)))
            .plusMinutes(Long.parseLong(window.group(4)))
            .plusSeconds(Long.parseLong(window.group(5)));
    asked.add(start.plus(length));
    return shifted(start) + window.group().substring(window.group(1).length());
  }

  private String shifted(LocalDateTime recorded) {
    return here.plus(Duration.between(there, recorded)).format(ASKED);
  }

  /** Notes the number that a reservation has here. */
  void learn(Entry entry, Shell.Answer answer, Map<String, String> recordedNumbers) {
    Matcher recorded = GRANTED.matcher(entry.out());
    Matcher mine = GRANTED.matcher(answer.out());
    if (recorded.matches() && mine.matches()) {
      numbers.put(recorded.group(1), mine.group(1));
      recordedNumbers.put(mine.group(1), recorded.group(1));
    }
  }

  /** A local text with its moments on the recorded clock. */
  String onRecordedClock(String text) {
    if (here == null) {
      return text;
    }
    String with = text;
    for (int i = 0; i < MOMENTS.size(); i++) {
      DateTimeFormatter form = SHOWN.get(i);
      Function<MatchResult, String> recorded =
          m -> onRecordedClock(LocalDateTime.parse(m.group(), form)).format(form);
      with = MOMENTS.get(i).matcher(with).replaceAll(recorded);
    }
    return with;
  }

  private LocalDateTime onRecordedClock(LocalDateTime local) {
    return there.plus(Duration.between(here, local));
  }

  /** Whether a moment, as qrstat shows it on the recorded clock, was asked for. */
  boolean isAsked(String moment) {
    return asked.contains(LocalDateTime.parse(moment, SHOWN.get(moment.contains("T") ? 1 : 0)));
  }

  /** A moment in recorded seconds since 1970: how long after the first window, if asked for. */
  String recordedSeconds(String seconds) {
    return sinceFirst(LocalDateTime.ofInstant(instant(seconds), ZoneOffset.UTC));
  }

  /** The same of local ones. */
  String localSeconds(String seconds) {
    return here == null
        ? sinceFirst(LocalDateTime.MIN)
        : sinceFirst(
            onRecordedClock(LocalDateTime.ofInstant(instant(seconds), ZoneId.systemDefault())));
  }

  private static Instant instant(String seconds) {
    return Instant.ofEpochSecond(Long.parseLong(seconds));
  }

  private String sinceFirst(LocalDateTime recorded) {
    return asked.contains(recorded)
        ? "+" + Duration.between(there, recorded).toSeconds() + "s"
        : "TIME";
  }
}
