package io.millrace.reservations.recurrence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.Freq;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule.RfcMode;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;

/** A recurrence rule that was read; it has either a number of occurrences or an end. Immutable. */
public final class RecurrenceRule {

  /** Most occurrences of one rule: each is held with its nodes. */
  public static final int OCCURRENCES_MAX = 2_000;

  /** Longest text, as in PBS. */
  public static final int CHARS_MAX = 66;

  /**
   * Longest steps. The library takes each of them day by day, and tries a thousand times to find an
   * occurrence.
   */
  static final int INTERVAL_MAX = 4_000;

  /** Of rules that count hours, minutes or seconds: more than a day of seconds. */
  static final int SHORT_INTERVAL_MAX = 100_000;

  /** Nothing is reserved beyond. */
  private static final int YEAR_MAX = 9999;

  private final String text;
  private final Freq frequency;

  /** The last moment at which it may fall; null when it has a number instead. */
  private final DateTime until;

  private RecurrenceRule(String text, Freq frequency, DateTime until) {
    this.text = text;
    this.frequency = frequency;
    this.until = until;
  }

  /**
   * Reads a rule, for example {@code FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4}.
   *
   * @throws RecurrenceException for a text that is no rule, or a rule without an end
   */
  public static RecurrenceRule parse(String text) throws RecurrenceException {
    if (text.length() > CHARS_MAX) {
      throw new RecurrenceException(RecurrenceFault.SYNTAX);
    }
    String upper = text.toUpperCase(Locale.ROOT);
    boolean counted = upper.matches("(.*;)?COUNT=.*");
    boolean ended = upper.matches("(.*;)?UNTIL=.*");
    if (!upper.matches("(.*;)?FREQ=.*")) {
      throw new RecurrenceException(RecurrenceFault.SYNTAX);
    }
    if (counted && ended) {
      throw new RecurrenceException(RecurrenceFault.UNBOUNDED);
    }
    org.dmfs.rfc5545.recur.RecurrenceRule rule = read(text);
    if (rule.getCount() == null && rule.getUntil() == null) {
      throw new RecurrenceException(RecurrenceFault.UNBOUNDED);
    }
    boolean days = rule.getFreq().ordinal() <= Freq.DAILY.ordinal();
    if (rule.getInterval() > (days ? INTERVAL_MAX : SHORT_INTERVAL_MAX)) {
      throw new RecurrenceException(RecurrenceFault.SYNTAX);
    }
    try {
      if (rule.getUntil() != null) {
        time(rule.getUntil()); // the library does not see that there is no thirteenth month
      }
    } catch (DateTimeException e) {
      throw new RecurrenceException(RecurrenceFault.SYNTAX);
    }
    return new RecurrenceRule(text, rule.getFreq(), rule.getUntil());
  }

  private static org.dmfs.rfc5545.recur.RecurrenceRule read(String text)
      throws RecurrenceException {
    try {
      return new org.dmfs.rfc5545.recur.RecurrenceRule(text, RfcMode.RFC5545_STRICT);
    } catch (InvalidRecurrenceRuleException | IllegalArgumentException e) {
      throw new RecurrenceException(RecurrenceFault.SYNTAX);
    }
  }

  /**
   * A time zone by its name, for example {@code Europe/Berlin}.
   *
   * @throws RecurrenceException when there is none of that name
   */
  public static ZoneId zone(String name) throws RecurrenceException {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new RecurrenceException(RecurrenceFault.ZONE);
    }
  }

  /**
   * When it falls.
   *
   * @param first milliseconds since 1970: nothing is earlier, and the time of day is this one
   * @param durationMs length of each occurrence
   * @return milliseconds since 1970, rising, at least one
   * @throws RecurrenceException when it never falls, too often, or overlaps itself
   */
  public List<Long> starts(long first, long durationMs, ZoneId zone) throws RecurrenceException {
    List<Long> starts = expanded(first, zone);
    if (starts.isEmpty()) {
      throw new RecurrenceException(RecurrenceFault.NEVER);
    }
    if (durationMs > periodMs()) {
      throw new RecurrenceException(RecurrenceFault.valueOf(frequency.name()));
    }
    for (int i = 1; i < starts.size(); i++) {
      if (durationMs > starts.get(i) - starts.get(i - 1)) {
        throw new RecurrenceException(RecurrenceFault.OVERLAP);
      }
    }
    return starts;
  }

  private List<Long> expanded(long first, ZoneId zone) throws RecurrenceException {
    org.dmfs.rfc5545.recur.RecurrenceRule rule = read(text);
    if (until != null) {
      rule.setUntil(null); // the library would compare it with local times
    }
    long endMs = until == null ? Long.MAX_VALUE : end(zone);
    List<Long> starts = new ArrayList<>();
    try {
      RecurrenceRuleIterator local = rule.iterator(local(first, zone));
      while (local.hasNext()) {
        DateTime next = local.nextDateTime();
        long start = at(next, first, zone);
        if (start > endMs || next.getYear() > YEAR_MAX) {
          break;
        }
        if (starts.isEmpty() || start > starts.get(starts.size() - 1)) {
          starts.add(start);
        }
        if (starts.size() > OCCURRENCES_MAX) {
          throw new RecurrenceException(RecurrenceFault.TOO_OFTEN);
        }
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      // The library gives up when a thousand periods in a row have no occurrence.
      if (starts.isEmpty() || until == null) {
        throw new RecurrenceException(RecurrenceFault.NEVER);
      }
    }
    return starts;
  }

  private static DateTime local(long ms, ZoneId zone) {
    LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(ms), zone);
    return new DateTime(
        time.getYear(),
        time.getMonthValue() - 1,
        time.getDayOfMonth(),
        time.getHour(),
        time.getMinute(),
        time.getSecond());
  }

  /** The moment of a local time; the first occurrence may be the second of two equal times. */
  private static long at(DateTime local, long first, ZoneId zone) {
    if (local.equals(local(first, zone))) {
      return first;
    }
    return time(local).atZone(zone).toInstant().toEpochMilli();
  }

  private static LocalDateTime time(DateTime local) {
    return LocalDateTime.of(
        local.getYear(),
        local.getMonth() + 1,
        local.getDayOfMonth(),
        local.getHours(),
        local.getMinutes(),
        local.getSeconds());
  }

  /** The last moment at which it may fall; of a date alone the end of that day. */
  private long end(ZoneId zone) {
    if (until.isAllDay()) {
      return time(until).plusDays(1).atZone(zone).toInstant().toEpochMilli() - 1;
    }
    ZoneId meant = until.isFloating() ? zone : ZoneOffset.UTC;
    return time(until).atZone(meant).toInstant().toEpochMilli();
  }

  private long periodMs() {
    return switch (frequency) {
      case YEARLY -> TimeUnit.DAYS.toMillis(365);
      case MONTHLY -> TimeUnit.DAYS.toMillis(30);
      case WEEKLY -> TimeUnit.DAYS.toMillis(7);
      case DAILY -> TimeUnit.DAYS.toMillis(1);
      case HOURLY -> TimeUnit.HOURS.toMillis(1);
      case MINUTELY -> TimeUnit.MINUTES.toMillis(1);
      case SECONDLY -> TimeUnit.SECONDS.toMillis(1);
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
