package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;

/**
 * That a run is over, and it is not known whether its script has begun.
 *
 * @param first when it was looked first
 * @param last when it was looked last
 * @param waited how long it was looked between
 */
public record RunDoubt(Instant first, Instant last, Duration waited) {

  static RunDoubt of(Instant now) {
    return new RunDoubt(now, now, Duration.ZERO);
  }

  /** After another look; a leap of the clock counts no longer than the longest pause. */
  RunDoubt lookedAt(Instant now, Duration pauseMost) {
    Duration pause = Duration.between(last, now);
    if (pause.isNegative()) {
      pause = Duration.ZERO;
    }
    return new RunDoubt(
        first, now, waited.plus(pause.compareTo(pauseMost) > 0 ? pauseMost : pause));
  }

  /** Whether it was looked less than a pause ago. */
  boolean isFresh(Instant now, Duration pause) {
    return !now.isBefore(last) && now.isBefore(last.plus(pause));
  }

  /** A word of it, which {@link #read} reads. */
  String written() {
    return first + "," + last + "," + waited.toMillis();
  }

  static RunDoubt read(String word) {
    String[] words = word.split(",");
    return new RunDoubt(
        Instant.parse(words[0]),
        Instant.parse(words[1]),
        Duration.ofMillis(Long.parseLong(words[2])));
  }
}
