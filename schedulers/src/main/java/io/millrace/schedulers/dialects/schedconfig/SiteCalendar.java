package io.millrace.schedulers.dialects.schedconfig;

import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.schedconfig.calendar.DedicatedTimes;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours;
import java.time.Instant;
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

  private final PrimeHours hours;
  private final DedicatedTimes dedicated;
  private final Prefixes prefixes;
  private final Crossings crossings;
  private final ZoneId zone;

  // End of the period in which a moment was asked about last; jobs of a cycle ask about one.
  private long knownMs = Long.MIN_VALUE;
  private long knownEndMs;
  private boolean knownPrime;
  private DedicatedTimes.Span knownSpan;

  public SiteCalendar(
      PrimeHours hours,
      DedicatedTimes dedicated,
      Prefixes prefixes,
      Crossings crossings,
      ZoneId zone) {
    this.hours = hours;
    this.dedicated = dedicated;
    this.prefixes = prefixes;
    this.crossings = crossings;
    this.zone = zone;
  }

  /** True when a moment is in prime time. */
  public boolean isPrime(long atMs) {
    look(atMs);
    return knownPrime;
  }

  private void look(long atMs) {
    if (atMs != knownMs) {
      knownMs = atMs;
      knownPrime = hours.isPrime(Instant.ofEpochMilli(atMs).atZone(zone));
      knownEndMs = hours.endMs(atMs, zone);
      knownSpan = dedicated.next(atMs, zone);
    }
  }

  @Override
  public long nextChangeMs(long afterMs) {
    look(afterMs);
    long nextMs = knownEndMs;
    for (DedicatedTimes.Span span : dedicated.spans()) {
      if (span.fromMs(zone) > afterMs) {
        nextMs = Math.min(nextMs, span.fromMs(zone));
      }
      if (span.toMs(zone) > afterMs) {
        nextMs = Math.min(nextMs, span.toMs(zone));
      }
    }
    return nextMs;
  }

  @Override
  public Refusal refusal(String queue, long walltimeMs, long atMs) {
    look(atMs);
    DedicatedTimes.Span span = knownSpan;
    boolean inDedicated = span != null && span.fromMs(zone) <= atMs;
    if (inDedicated != prefixes.isDedicated(queue)) {
      long endMs = span == null ? -1 : inDedicated ? span.toMs(zone) : span.fromMs(zone);
      return new Refusal(ReasonCode.DEDICATED_TIME, queue, true, endMs);
    }
    boolean primeQueue = prefixes.isPrime(queue);
    boolean nonPrimeQueue = prefixes.isNonPrime(queue);
    if (primeQueue && !knownPrime) {
      return new Refusal(ReasonCode.PRIME_ONLY, queue, true, known());
    }
    if (nonPrimeQueue && knownPrime) {
      return new Refusal(ReasonCode.NON_PRIME_ONLY, queue, true, known());
    }
    if ((primeQueue || nonPrimeQueue || !crossings.prefixedOnly()) && crosses(walltimeMs, atMs)) {
      String into = knownPrime ? INTO_NON_PRIME : INTO_PRIME;
      return new Refusal(ReasonCode.CROSSES_PERIOD, into, false, known());
    }
    if (span != null
        && end(atMs, walltimeMs) > (inDedicated ? span.toMs(zone) : span.fromMs(zone))) {
      return new Refusal(ReasonCode.CROSSES_DEDICATED, queue, false, span.toMs(zone));
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
