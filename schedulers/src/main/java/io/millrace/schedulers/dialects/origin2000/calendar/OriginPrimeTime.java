package io.millrace.schedulers.dialects.origin2000.calendar;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_END;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_START;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;

/**
 * When it is prime time: each day from Monday to Friday that is no holiday has a period, from the
 * start to the end on the clock on the wall. An end that is not after the start is on the next day.
 */
public final class OriginPrimeTime {

  private static final int SEARCHED_DAYS = 400;

  /** Days that are known at most. */
  private static final int DAYS_MAX = 10_000;

  /** A day on which clocks go forward, with some to spare. */
  private static final long SHORTEST_DAY_S = 22 * 3600;

  private final long startS;
  private final long endS;
  private final ZoneId zone;
  private final OriginHolidays holidays;

  /** Begin and end of the period of a day, by the day since 1970; equal when it has none. */
  private final Map<Long, long[]> periods = new HashMap<>();

  private long lastTime = Long.MIN_VALUE;
  private long lastDay;

  public OriginPrimeTime(OriginConfig config, ZoneId zone, OriginHolidays holidays) {
    startS = config.number(PRIME_TIME_START);
    endS = config.number(PRIME_TIME_END);
    this.zone = zone;
    this.holidays = holidays;
  }

  /** Whether a time lies in prime time. */
  public boolean at(long time) {
    long day = day(time);
    return within(day, time) || within(day - 1, time);
  }

  private boolean within(long day, long time) {
    long[] period = period(day);
    return period[0] <= time && time < period[1];
  }

  /** Seconds until the next period begins; of a time within a period, until the one after. */
  public long untilBegin(long time) {
    long today = day(time);
    for (long day = today; day < today + SEARCHED_DAYS; day++) {
      long[] period = period(day);
      if (period[0] < period[1] && period[0] > time) {
        return period[0] - time;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Seconds until prime time ends today by the clock; below 0 when it has ended. */
  public long untilEnd(long time) {
    long day = day(time);
    return end(within(day - 1, time) ? day - 1 : day) - time;
  }

  /** Seconds of prime time between two times, counted no further than above the limit. */
  public long between(long from, long to, long limit) {
    long seconds = 0;
    long last = day(from) - 1 + (to - from) / SHORTEST_DAY_S + 2;
    for (long day = day(from) - 1; day <= last && seconds <= limit; day++) {
      long[] period = period(day);
      if (period[0] < period[1] && period[0] >= to) {
        break;
      }
      seconds += Math.max(0, Math.min(to, period[1]) - Math.max(from, period[0]));
    }
    return seconds;
  }

  private long day(long time) {
    if (time != lastTime) {
      lastTime = time;
      lastDay = Instant.ofEpochSecond(time).atZone(zone).toLocalDate().toEpochDay();
    }
    return lastDay;
  }

  private long[] period(long day) {
    if (periods.size() > DAYS_MAX) {
      periods.clear();
    }
    return periods.computeIfAbsent(
        day, it -> has(it) ? new long[] {moment(it, startS), end(it)} : new long[] {0, 0});
  }

  private boolean has(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    DayOfWeek weekday = date.getDayOfWeek();
    return weekday != DayOfWeek.SATURDAY && weekday != DayOfWeek.SUNDAY && !holidays.contain(date);
  }

  private long end(long day) {
    return moment(endS > startS ? day : day + 1, endS);
  }

  private long moment(long day, long seconds) {
    return LocalDate.ofEpochDay(day)
        .atStartOfDay()
        .plusSeconds(seconds)
        .atZone(zone)
        .toEpochSecond();
  }
}
