package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;

/**
 * That a run is over, and it is not known whether its script has begun.
 *
 * @param first when it was looked first
 * @param last when it was looked last
 * @param waited how long it was looked between
 * @param gone for how long of that there has been no such account, up to the last look
 */
public record RunDoubt(Instant first, Instant last, Duration waited, Duration gone) {

  static RunDoubt of(Instant now) {
    return new RunDoubt(now, now, Duration.ZERO, Duration.ZERO);
  }

  /** After another look; a leap of the clock counts no longer than the longest pause. */
  RunDoubt lookedAt(Instant now, Duration pauseMost, boolean isGone) {
    Duration pause = Duration.between(last, now);
    if (pause.isNegative()) {
      pause = Duration.ZERO;
    } else if (pause.compareTo(pauseMost) > 0) {
      pause = pauseMost;
    }
    // Where accounts are kept elsewhere, one can seem to be gone for a moment.
    return new RunDoubt(first, now, waited.plus(pause), isGone ? gone.plus(pause) : Duration.ZERO);
  }

  /** Whether it was looked less than a pause ago. */
  boolean isFresh(Instant now, Duration pause) {
    return !now.isBefore(last) && now.isBefore(last.plus(pause));
  }

  /** A word of it, which {@link #read} reads. */
  String written() {
    return first + "," + last + "," + waited.toMillis() + "," + gone.toMillis();
  }

  static RunDoubt read(String word) {
    String[] words = word.split(",");
    return new RunDoubt(
        Instant.parse(words[0]),
        Instant.parse(words[1]),
        Duration.ofMillis(Long.parseLong(words[2])),
        Duration.ofMillis(Long.parseLong(words[3])));
  }
}
