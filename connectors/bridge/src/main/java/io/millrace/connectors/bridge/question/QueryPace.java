package io.millrace.connectors.bridge.question;

import java.time.Duration;
import java.time.Instant;

/**
 * When something is asked for. An answer that takes long makes the next question later, so that
 * questions take a twentieth of the time at most; so do questions in a row without one, where
 * nothing else sees to pauses then.
 */
public final class QueryPace {

  private static final int SHARE = 20;

  private final Duration least;
  private final Duration most;
  private Instant last = Instant.MIN;
  private Duration interval;

  public QueryPace(Duration least, Duration most) {
    this.least = least;
    this.most = most;
    this.interval = least;
  }

  /** Whether a question may be asked now, also where the clock was put back since the last one. */
  public boolean isDue(Instant now) {
    return last.equals(Instant.MIN) || now.isBefore(last) || !now.isBefore(last.plus(interval));
  }

  /** A question has been asked, and took so long. */
  public void asked(Instant begun, Duration took) {
    last = begun;
    interval = bounded(took.multipliedBy(SHARE));
  }

  /**
   * The same in vain: each question in a row without an answer doubles the pause, which is as long
   * as the question at the least. One that ran into its limit may be the last of a trouble, so that
   * it does not count as an answer that took as long.
   */
  public void failed(Instant begun, Duration took) {
    Duration twice = last.equals(Instant.MIN) ? least : interval.multipliedBy(2);
    Duration half = took.multipliedBy(2);
    last = begun;
    interval = bounded(twice.compareTo(half) > 0 ? twice : half);
  }

  private Duration bounded(Duration wanted) {
    return wanted.compareTo(least) < 0 ? least : wanted.compareTo(most) > 0 ? most : wanted;
  }

  /** Something has happened that the queue should confirm soon. */
  public void hurry() {
    interval = least;
  }

  public Duration interval() {
    return interval;
  }
}
