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
 * @param taken whether the last look found the claim taken, and not by which job
 */
public record RunDoubt(Instant first, Instant last, Duration waited, Duration gone, boolean taken) {

  static RunDoubt of(Instant now, boolean taken) {
    return new RunDoubt(now, now, Duration.ZERO, Duration.ZERO, taken);
  }

  /** After another look; a leap of the clock counts no longer than the longest pause. */
  RunDoubt lookedAt(Instant now, Duration pauseMost, boolean isGone, boolean isTaken) {
    Duration pause = Duration.between(last, now);
    if (pause.isNegative()) {
      pause = Duration.ZERO;
    } else if (pause.compareTo(pauseMost) > 0) {
      pause = pauseMost;
    }
    // Where accounts are kept elsewhere, one can seem to be gone for a moment.
    Duration goneFor = isGone ? gone.plus(pause) : Duration.ZERO;
    return new RunDoubt(first, now, waited.plus(pause), goneFor, isTaken);
  }

  /** Whether it was looked less than a pause ago. */
  boolean isFresh(Instant now, Duration pause) {
    return !now.isBefore(last) && now.isBefore(last.plus(pause));
  }

  /** A word of it, which {@link #read} reads. */
  String written() {
    return String.join(
        ",",
        first.toString(),
        last.toString(),
        String.valueOf(waited.toMillis()),
        String.valueOf(gone.toMillis()),
        String.valueOf(taken));
  }

  static RunDoubt read(String word) {
    String[] words = word.split(",");
    return new RunDoubt(
        Instant.parse(words[0]),
        Instant.parse(words[1]),
        Duration.ofMillis(Long.parseLong(words[2])),
        Duration.ofMillis(Long.parseLong(words[3])),
        Boolean.parseBoolean(words[4]));
  }
}
