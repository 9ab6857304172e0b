package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clock of this host without its leaps, so that a time that has to pass has passed: it goes by
 * what passes in truth, and comes back to the time of the host by a tenth of that, at most.
 */
public final class SteadyClock implements InstantSource {

  /** Both differ by this much at the least before it counts: questions of them take time. */
  private static final Duration SMALL = Duration.ofMillis(50);

  private static final int SHARE = 10;

  private final InstantSource host;
  private final LongSupplier nanos;
  private Instant at;
  private long atNs;

  /** The one of this host. */
  public SteadyClock() {
    this(InstantSource.system(), System::nanoTime);
  }

  /**
   * @param host with leaps
   * @param nanos what passes
   */
  SteadyClock(InstantSource host, LongSupplier nanos) {
    this.host = host;
    this.nanos = nanos;
    this.at = host.instant();
    this.atNs = nanos.getAsLong();
  }

  @Override
  public synchronized Instant instant() {
    long nowNs = nanos.getAsLong();
    long passedNs = Math.max(0, nowNs - atNs);
    at = at.plusNanos(passedNs);
    atNs = nowNs;
    Duration apart = Duration.between(at, host.instant());
    Duration most = Duration.ofNanos(passedNs / SHARE);
    if (apart.abs().compareTo(SMALL) > 0) {
      Duration by = apart.abs().compareTo(most) < 0 ? apart.abs() : most;
      at = apart.isNegative() ? at.minus(by) : at.plus(by);
    }
    return at;
  }
}
