package io.millrace.schedulers.dialects.schedconfig;

import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.schedconfig.calendar.DedicatedTimes;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimePeriods;
import java.time.ZoneId;

/** When jobs of which queues may run, by prime time and dedicated times. */
public final class SiteCalendar implements Calendar {

  /**
   * How names of queues begin that are for one kind of time; null where there are no such queues.
   */
  public record Prefixes(String prime, String nonPrime, String dedicated) {

    boolean isPrime(String queue) {
      return prime != null && queue.startsWith(prime);
    }

    boolean isNonPrime(String queue) {
      return nonPrime != null && queue.startsWith(nonPrime);
    }

    boolean isDedicated(String queue) {
      return dedicated != null && queue.startsWith(dedicated);
    }
  }

  /**
   * Whether jobs may run from one period into the other.
   *
   * @param held true when they may not, but for the spill
   * @param spillMs by how much they may end after the change, milliseconds
   */
  public record Crossing(boolean held, long spillMs) {}

  /**
   * Rules for crossing.
   *
   * @param fromPrime of jobs that run in prime time
   * @param fromNonPrime of jobs that run in non-prime time
   * @param prefixedOnly true when they hold for queues of prime or non-prime time only
   */
  public record Crossings(Crossing fromPrime, Crossing fromNonPrime, boolean prefixedOnly) {}

  private static final String INTO_PRIME = "primetime";
  private static final String INTO_NON_PRIME = "non-primetime";

  private final PrimePeriods periods;

  // Beginnings and ends of the dedicated times, in the order of their beginnings.
  private final long[] dedicatedFromMs;
  private final long[] dedicatedToMs;
  private final Prefixes prefixes;
  private final Crossings crossings;

  // End of the period in which a moment was asked about last; jobs of a cycle ask about one.
  private long knownMs = Long.MIN_VALUE;
  private long knownEndMs;
  private boolean knownPrime;

  /** The dedicated time that is or comes next; the number of all when there is none. */
  private int knownSpan;

  public SiteCalendar(
      PrimeHours hours,
      DedicatedTimes dedicated,
      Prefixes prefixes,
      Crossings crossings,
      ZoneId zone) {
    periods = new PrimePeriods(hours, zone);
    dedicatedFromMs = dedicated.spans().stream().mapToLong(it -> it.fromMs(zone)).toArray();
    dedicatedToMs = dedicated.spans().stream().mapToLong(it -> it.toMs(zone)).toArray();
    this.prefixes = prefixes;
    this.crossings = crossings;
  }

  /** True when a moment is in prime time. */
  public boolean isPrime(long atMs) {
    look(atMs);
    return knownPrime;
  }

  private void look(long atMs) {
    if (atMs != knownMs) {
      knownMs = atMs;
      knownPrime = periods.isPrime(atMs);
      knownEndMs = periods.endMs(atMs);
      knownSpan = 0;
      while (knownSpan < dedicatedToMs.length && dedicatedToMs[knownSpan] <= atMs) {
        knownSpan++;
      }
    }
  }

  @Override
  public long nextChangeMs(long afterMs) {
    look(afterMs);
    long nextMs = knownEndMs;
    for (int i = knownSpan; i < dedicatedToMs.length; i++) {
      if (dedicatedFromMs[i] > afterMs) {
        nextMs = Math.min(nextMs, dedicatedFromMs[i]);
      }
      if (dedicatedToMs[i] > afterMs) {
        nextMs = Math.min(nextMs, dedicatedToMs[i]);
      }
    }
    return nextMs;
  }

  @Override
  public CalendarRefusal refusal(String queue, long walltimeMs, long atMs) {
    look(atMs);
    boolean coming = knownSpan < dedicatedToMs.length;
    long fromMs = coming ? dedicatedFromMs[knownSpan] : -1;
    long toMs = coming ? dedicatedToMs[knownSpan] : -1;
    boolean inDedicated = coming && fromMs <= atMs;
    if (inDedicated != prefixes.isDedicated(queue)) {
      long endMs = inDedicated ? toMs : fromMs;
      return new CalendarRefusal(ReasonCode.DEDICATED_TIME, queue, true, endMs);
    }
    boolean primeQueue = prefixes.isPrime(queue);
    boolean nonPrimeQueue = prefixes.isNonPrime(queue);
    if (primeQueue && !knownPrime) {
      return new CalendarRefusal(ReasonCode.PRIME_ONLY, queue, true, known());
    }
    if (nonPrimeQueue && knownPrime) {
      return new CalendarRefusal(ReasonCode.NON_PRIME_ONLY, queue, true, known());
    }
    if ((primeQueue || nonPrimeQueue || !crossings.prefixedOnly()) && crosses(walltimeMs, atMs)) {
      String into = knownPrime ? INTO_NON_PRIME : INTO_PRIME;
      return new CalendarRefusal(ReasonCode.CROSSES_PERIOD, into, false, known());
    }
    if (coming && end(atMs, walltimeMs) > (inDedicated ? toMs : fromMs)) {
      return new CalendarRefusal(ReasonCode.CROSSES_DEDICATED, queue, false, toMs);
    }
    return null;
  }

  private long known() {
    return knownEndMs == Long.MAX_VALUE ? -1 : knownEndMs;
  }

  private boolean crosses(long walltimeMs, long atMs) {
    Crossing crossing = knownPrime ? crossings.fromPrime() : crossings.fromNonPrime();
    return crossing.held()
        && knownEndMs != Long.MAX_VALUE
        && end(atMs, walltimeMs) > end(knownEndMs, crossing.spillMs());
  }

  private static long end(long atMs, long lengthMs) {
    return lengthMs > Long.MAX_VALUE - atMs ? Long.MAX_VALUE : atMs + lengthMs;
  }
}
