package io.millrace.ops.process;

import java.time.Duration;

/**
 * How long to wait until a part that ended is started again: not at all after a life of some
 * length, and longer and longer while its lives are short.
 */
public final class Restarts {

  private static final Duration SHORT_LIFE = Duration.ofSeconds(10);
  private static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(60);

  private int shortLives;
  private Duration next = FIRST;

  /** The wait after a life of this length. */
  public Duration after(Duration life) {
    if (life.compareTo(SHORT_LIFE) >= 0) {
      forget();
      return Duration.ZERO;
    }
    shortLives++;
    Duration wait = next;
    next = wait.multipliedBy(2).compareTo(LONGEST) < 0 ? wait.multipliedBy(2) : LONGEST;
    return wait;
  }

  /** What its short lives were due to is over. */
  public void forget() {
    shortLives = 0;
    next = FIRST;
  }

  /** Number of short lives since the last one that was not. */
  public int shortLives() {
    return shortLives;
  }
}
