package io.millrace.schedulers.dialects.origin2000.calendar;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The days without prime time. A line begins with the number of the day in the year; where month
 * and day stand behind it ({@code 315 Nov 11 Veterans Day}) that date is meant, also in leap years,
 * in which its number is another.
 */
public final class OriginHolidays {

  private static final int LINE_MAX = 510;
  private static final int DAYS_MAX = 366;
  private static final int LEAP_YEAR = 2000;
  private static final int OTHER_YEAR = 1999;
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  /** A year without any. */
  public static final OriginHolidays NONE = new OriginHolidays(Set.of(), Set.of(), List.of());

  private final Set<Integer> numbers;
  private final Set<MonthDay> dates;
  private final List<String> warnings;

  private OriginHolidays(Set<Integer> numbers, Set<MonthDay> dates, List<String> warnings) {
    this.numbers = Set.copyOf(numbers);
    this.dates = Set.copyOf(dates);
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Reads the file: comments from * to the end of the line; empty lines, lines with YEAR and the
   * day 0 are skipped.
   *
   * @throws ConfigurationRefused on the first line that is wrong
   */
  public static OriginHolidays read(String file, String text) {
    Set<Integer> numbers = new HashSet<>();
    Set<MonthDay> dates = new HashSet<>();
    List<String> warnings = new ArrayList<>();
    String[] lines = text.split("\r?\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].length() > LINE_MAX) {
        throw new ConfigurationRefused(
            file, i + 1, "the line is longer than " + LINE_MAX + " characters");
      }
      String said = lines[i].split("\\*", 2)[0].strip();
      String[] words = said.split("\\s+");
      if (said.isEmpty() || words[0].startsWith("YEAR")) {
        continue;
      }
      int day = day(file, i + 1, words[0]);
      MonthDay date = date(words);
      if (date != null && !agree(day, date)) {
        warnings.add(
            file
                + ":"
                + (i + 1)
                + ": day "
                + day
                + " is not "
                + words[1]
                + " "
                + words[2]
                + "; the day counts");
        date = null;
      }
      if (date != null) {
        dates.add(date);
      } else if (day > 0) {
        numbers.add(day);
      }
    }
    return new OriginHolidays(numbers, dates, warnings);
  }

  private static int day(String file, int line, String word) {
    if (!word.matches("\\d{1,9}") || Integer.parseInt(word) > DAYS_MAX) {
      String shown = word.length() > 20 ? word.substring(0, 20) + "..." : word;
      throw new ConfigurationRefused(
          file, line, "'" + shown + "' is no day of a year: a number from 1 to " + DAYS_MAX);
    }
    return Integer.parseInt(word);
  }

  private static MonthDay date(String[] words) {
    if (words.length < 3 || !words[2].matches("\\d{1,2}")) {
      return null;
    }
    String name = words[1].toLowerCase(Locale.ROOT);
    int month = MONTHS.indexOf(name.substring(0, Math.min(3, name.length()))) + 1;
    int day = Integer.parseInt(words[2]);
    return month == 0 || day == 0 || day > MonthDay.of(month, 1).getMonth().maxLength()
        ? null
        : MonthDay.of(month, day);
  }

  private static boolean agree(int day, MonthDay date) {
    return day == date.atYear(OTHER_YEAR).getDayOfYear()
        || day == date.atYear(LEAP_YEAR).getDayOfYear();
  }

  /** What was not taken as it stands there, with file and line. */
  public List<String> warnings() {
    return warnings;
  }

  boolean contain(LocalDate date) {
    return numbers.contains(date.getDayOfYear()) || dates.contains(MonthDay.from(date));
  }
}
