package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether an outside system is spoken to. After some failures in a row it is left alone but for one
 * question now and then, in pauses that grow; one good answer closes the breaker again. Each system
 * has one, which all share who ask it anything, on whatever thread.
 */
public final class CircuitBreaker {

  private static final int FAILURES = 3;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final int most;
  private int failures;
  private Duration pause = FIRST_PAUSE;
  private Instant next = Instant.MIN;
  private Instant since;
  private String why = "";

  public CircuitBreaker() {
    this(FAILURES);
  }

  /**
   * @param most failures in a row after which it is left alone
   */
  public CircuitBreaker(int most) {
    this.most = most;
  }

  /** It has answered, whatever it said. */
  public synchronized void answered() {
    failures = 0;
    pause = FIRST_PAUSE;
    next = Instant.MIN;
    since = null;
    why = "";
  }

  /** It has not answered. */
  public synchronized void silent(String reason, Instant now) {
    failures++;
    since = since == null ? now : since;
    why = reason;
    // Two who asked at the same moment do not make the pause longer twice.
    if (isOpen() && lets(now)) {
      next = now.plus(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  public synchronized boolean isOpen() {
    return failures >= most;
  }

  /** Whether a question may be asked now, also where the clock was put back since the last one. */
  public synchronized boolean lets(Instant now) {
    return !isOpen() || !now.isBefore(next) || now.isBefore(next.minus(LONGEST_PAUSE));
  }

  /** Since when it is silent. */
  public synchronized Optional<Instant> silentSince() {
    return Optional.ofNullable(since);
  }

  /** Why it is silent; empty when it is not. */
  public synchronized String reason() {
    return why;
  }
}
