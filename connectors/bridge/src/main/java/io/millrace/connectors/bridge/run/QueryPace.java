package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;

/**
 * When the queue is asked for as a whole. An answer that takes long makes the next question later,
 * so that questions take a twentieth of the time at most.
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
    Duration wanted = took.multipliedBy(SHARE);
    interval = wanted.compareTo(least) < 0 ? least : wanted.compareTo(most) > 0 ? most : wanted;
  }

  /** Something has happened that the queue should confirm soon. */
  public void hurry() {
    interval = least;
  }

  public Duration interval() {
    return interval;
  }
}
