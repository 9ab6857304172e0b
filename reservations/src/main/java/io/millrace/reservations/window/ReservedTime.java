package io.millrace.reservations.window;

import java.util.Optional;

/**
 * A window of time.
 *
 * @param startMs milliseconds since 1970
 * @param endMs milliseconds since 1970, behind the start
 */
public record ReservedTime(long startMs, long endMs) {

  /** Longest duration, which is beyond any a user means: 136 years and a half of seconds. */
  public static final long DURATION_MAX_MS = 4_294_967_296L * 1000;

  /**
   * Compact form.
   *
   * @throws IllegalArgumentException when the end is not behind the start
   */
  public ReservedTime {
    if (endMs <= startMs) {
      throw new IllegalArgumentException("ends at " + endMs + ", before it starts: " + startMs);
    }
  }

  /**
   * The window of what a user gave, as PBS takes it: two of the three, or all when they agree.
   *
   * @param startMs null when not given
   * @param endMs null when not given
   * @param durationMs null when not given
   * @param nowMs no window begins earlier
   */
  public static Optional<ReservedTime> of(Long startMs, Long endMs, Long durationMs, long nowMs) {
    if (durationMs != null && (durationMs <= 0 || durationMs > DURATION_MAX_MS)) {
      return Optional.empty();
    }
    long start;
    long end;
    if (startMs != null && endMs != null) {
      start = startMs;
      end = endMs;
      if (durationMs != null && end - start != durationMs) {
        return Optional.empty();
      }
    } else if (startMs != null && durationMs != null) {
      start = startMs;
      end = startMs + durationMs;
    } else if (endMs != null && durationMs != null) {
      start = endMs - durationMs;
      end = endMs;
    } else {
      return Optional.empty();
    }
    // A start without seconds within the current one is not past.
    boolean past = Math.floorDiv(start, 1000L) < Math.floorDiv(nowMs, 1000L);
    return past || end <= start ? Optional.empty() : Optional.of(new ReservedTime(start, end));
  }

  public long durationMs() {
    return endMs - startMs;
  }
}
