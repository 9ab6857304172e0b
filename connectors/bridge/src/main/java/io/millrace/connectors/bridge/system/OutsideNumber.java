package io.millrace.connectors.bridge.system;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers in outputs of outside systems. What a broken or lying output says may have any length: a
 * number that none can be, or a moment that no clock will show, is as if it were not there.
 */
public final class OutsideNumber {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  /** Some 31,000 years; what is beyond names no moment. */
  private static final long SECONDS_MAX = 999_999_999_999L;

  private OutsideNumber() {}

  /** A whole number, not below zero; empty for anything else. */
  public static Optional<Long> of(String text) {
    return DIGITS.matcher(text).matches() ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  /**
   * A moment.
   *
   * @param text seconds since 1970; zero is written where there is none
   */
  public static Optional<Instant> time(String text) {
    return of(text).filter(it -> it > 0 && it <= SECONDS_MAX).map(Instant::ofEpochSecond);
  }
}
