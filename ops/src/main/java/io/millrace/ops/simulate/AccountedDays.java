package io.millrace.ops.simulate;

import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;

/**
 * Days of which the accounting counts, both ends included.
 *
 * @param since first day as {@code 20261120}; empty for all from the first on
 * @param until last day; empty for all to the last
 */
record AccountedDays(String since, String until) {

  static final String SINCE = "--since";
  static final String UNTIL = "--until";
  static final AccountedDays ALL = new AccountedDays("", "");

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuuMMdd").withResolverStyle(ResolverStyle.STRICT);

  static AccountedDays of(GivenOptions options) throws UsageException {
    AccountedDays days = new AccountedDays(day(options, SINCE), day(options, UNTIL));
    if (!days.until.isEmpty() && days.since.compareTo(days.until) > 0) {
      throw options.wrong(SINCE + " is after " + UNTIL);
    }
    return days;
  }

  private static String day(GivenOptions options, String option) throws UsageException {
    String text = options.get(option).orElse("");
    try {
      return text.isEmpty() ? "" : DAY.format(LocalDate.parse(text, DAY));
    } catch (DateTimeException e) {
      throw options.wrong(option + " takes a day such as 20261120, not " + text);
    }
  }

  /** Whether a file's name is that of one of the days. */
  boolean has(String name) {
    return name.matches("\\d{8}")
        && name.compareTo(since) >= 0
        && (until.isEmpty() || name.compareTo(until) <= 0);
  }

  /** What stands in a message behind "no accounting file". */
  @Override
  public String toString() {
    return (since.isEmpty() ? "" : " since " + since) + (until.isEmpty() ? "" : " until " + until);
  }
}
