package io.millrace.schemas.pbs.schedconfig.calendar;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Set;

/**
 * The periods of prime and non-prime time in a time zone.
 *
 * <p>A search for the start of a job asks for the period of many moments of the same days, so the
 * changes of the days that were asked for last are kept. For one thread.
 */
public final class PrimePeriods {

  /** A period that lasts for longer is without end. */
  private static final int DAYS_AHEAD = 7;

  private static final long MOST_MS = DAYS_AHEAD * 24L * 3600 * 1000;

  /** Days whose changes are kept: more than a year, for a job that is looked for so far ahead. */
  private static final int DAYS_KEPT = 512;

  /**
   * Moments of a day at which another period may begin.
   *
   * @param atMs milliseconds since 1970, in the order of the clock of that day
   * @param prime for each, whether prime time holds from then on
   */
  private record PeriodChanges(long epochDay, long[] atMs, boolean[] prime) {}

  private final PrimeHours hours;
  private final ZoneId zone;
  private final PeriodChanges[] kept = new PeriodChanges[DAYS_KEPT];

  public PrimePeriods(PrimeHours hours, ZoneId zone) {
    this.hours = hours;
    this.zone = zone;
  }

  /** True when a moment, milliseconds since 1970, is in prime time. */
  public boolean isPrime(long atMs) {
    return hours.isPrime(Instant.ofEpochMilli(atMs).atZone(zone));
  }

  /**
   * When the period of a moment ends.
   *
   * @return milliseconds since 1970; {@link Long#MAX_VALUE} when it lasts for more than 7 days
   */
  public long endMs(long nowMs) {
    if (hours.year() == 0) {
      return Long.MAX_VALUE;
    }
    ZonedDateTime now = Instant.ofEpochMilli(nowMs).atZone(zone);
    boolean before = hours.isPrime(now);
    long today = now.toLocalDate().toEpochDay();
    for (long epochDay = today; epochDay <= today + DAYS_AHEAD; epochDay++) {
      PeriodChanges day = day(epochDay);
      for (int i = 0; i < day.atMs.length; i++) {
        long atMs = day.atMs[i];
        if (day.prime[i] != before && atMs > nowMs && atMs <= nowMs + MOST_MS) {
          return atMs;
        }
      }
    }
    return Long.MAX_VALUE;
  }

  private PeriodChanges day(long epochDay) {
    int place = (int) Math.floorMod(epochDay, (long) DAYS_KEPT);
    if (kept[place] == null || kept[place].epochDay != epochDay) {
      kept[place] = of(LocalDate.ofEpochDay(epochDay));
    }
    return kept[place];
  }

  private PeriodChanges of(LocalDate date) {
    Set<LocalTime> changes = hours.changes(date);
    long[] atMs = new long[changes.size()];
    boolean[] prime = new boolean[atMs.length];
    int known = 0;
    for (LocalTime time : changes) {
      ZonedDateTime at = date.atTime(time).atZone(zone);
      atMs[known] = at.toInstant().toEpochMilli();
      prime[known++] = hours.isPrime(at);
    }
    return new PeriodChanges(date.toEpochDay(), atMs, prime);
  }
}
