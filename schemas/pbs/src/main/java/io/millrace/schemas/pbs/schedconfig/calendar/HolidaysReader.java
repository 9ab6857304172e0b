package io.millrace.schemas.pbs.schedconfig.calendar;

import io.millrace.schemas.pbs.attributes.Nearest;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours.Begin;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import java.time.DayOfWeek;
import java.time.Year;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads a holidays file: hours of prime time by weekday, and days of the year without any. */
public final class HolidaysReader {

  private static final String WEEKDAY = "weekday";

  private static final List<String> WORDS =
      List.of(
          "YEAR",
          WEEKDAY,
          "monday",
          "tuesday",
          "wednesday",
          "thursday",
          "friday",
          "saturday",
          "sunday");

  private static final int DAYS = 366;

  private final String file;
  private final PrimeHours hours = new PrimeHours();
  private final List<PolicyFinding> findings = new ArrayList<>();
  private int line;

  private HolidaysReader(String file) {
    this.file = file;
  }

  /** What a text says, and what is wrong with it. */
  public record HolidaysRead(PrimeHours hours, List<PolicyFinding> findings) {}

  /** Reads a text; never throws. */
  public static HolidaysRead read(String file, String text) {
    HolidaysReader reader = new HolidaysReader(file);
    for (String line : text.split("\n", -1)) {
      reader.line++;
      String content = line.strip();
      if (!content.isEmpty() && content.charAt(0) != '*' && content.charAt(0) != '#') {
        reader.take(content.split("\\s+"));
      }
    }
    return new HolidaysRead(reader.hours, List.copyOf(reader.findings));
  }

  private void take(String[] words) {
    String first = words[0];
    Optional<Set<DayOfWeek>> days = days(first);
    if (first.equals("YEAR")) {
      year(words);
    } else if (days.isPresent()) {
      day(words, days.get());
    } else if (!first.equals("HOLIDAYFILE_VERSION1")) {
      holiday(first);
    }
  }

  private static Optional<Set<DayOfWeek>> days(String word) {
    if (word.equals(WEEKDAY)) {
      return Optional.of(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY));
    }
    return !word.equals("YEAR") && WORDS.contains(word)
        ? Optional.of(EnumSet.of(DayOfWeek.valueOf(word.toUpperCase(Locale.ROOT))))
        : Optional.empty();
  }

  private void year(String[] words) {
    if (words.length > 1 && words[1].matches("\\d{1,4}")) {
      hours.year(Integer.parseInt(words[1]));
    } else {
      wrong(
          words.length > 1 ? "'" + words[1] + "' is no year" : "YEAR has no number behind it",
          logs("YEAR"));
    }
  }

  private void day(String[] words, Set<DayOfWeek> days) {
    if (words.length < 2) {
      wrong(words[0] + " needs two times: when prime time begins and when it ends", logs(words[0]));
      return;
    }
    Begin prime = begin(words[0], words[1]);
    if (prime == null) {
      return;
    }
    days.forEach(day -> hours.prime(day, prime));
    if (words.length < 3) {
      wrong(words[0] + " needs a second time: when non-prime time begins", logs(words[0]));
      return;
    }
    Begin other = begin(words[0], words[2]);
    if (other != null) {
      days.forEach(day -> nonPrime(day, other));
    }
    if (words.length > 3) {
      wrong(
          "'" + words[3] + "' stands behind the times of " + words[0], "passes over what is there");
    }
  }

  /** Both all, or both none: prime time all day. */
  private void nonPrime(DayOfWeek day, Begin begin) {
    Begin prime = hours.prime(day);
    if (begin.none() && prime.none()) {
      hours.prime(day, Begin.ALL);
    } else if (!(begin.all() && prime.all())) {
      hours.nonPrime(day, begin);
    }
  }

  /** When a time begins; null for a word that OpenPBS does not take. */
  private Begin begin(String day, String word) {
    switch (word) {
      case "all", "ALL" -> {
        return Begin.ALL;
      }
      case "none", "NONE" -> {
        return Begin.NONE;
      }
      default -> {
        String expected = "'" + word + "' is no time: it must be HHMM, all or none";
        if (!word.matches("\\d{1,8}")) {
          wrong(expected, logs(day));
          return null;
        }
        int hhmm = Integer.parseInt(word);
        if (hhmm > 2400 || hhmm % 100 > 59 || word.length() != 4) {
          wrong(expected, "takes it as it is");
        }
        return Begin.at(hhmm);
      }
    }
  }

  private void holiday(String word) {
    boolean number = word.matches("\\d{1,8}");
    int day = number ? Integer.parseInt(word) : 0;
    if (!number) {
      wrong(
          "'"
              + word
              + "' is neither a weekday nor the number of a day of the year"
              + Nearest.hint(word, WORDS),
          "takes it for a day that never comes");
    } else if (day < 1 || day > DAYS) {
      wrong("a year has no day " + word, "takes it for a day that never comes");
    } else if (day == DAYS && hours.year() > 0 && !Year.isLeap(hours.year())) {
      wrong(
          "the year " + hours.year() + " has no day " + word,
          "takes it for a day that never comes");
    }
    hours.holiday(day);
  }

  private static String logs(String first) {
    return "logs that the line is wrong, which starts with " + first;
  }

  private void wrong(String reason, String inPbs) {
    findings.add(new PolicyFinding(file, line, reason, inPbs, true));
  }
}
