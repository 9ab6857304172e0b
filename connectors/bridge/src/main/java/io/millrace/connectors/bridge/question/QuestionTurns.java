package io.millrace.connectors.bridge.question;

import java.time.Duration;
import java.time.Instant;

/**
 * Has the questions of all paces of a cluster come no more often than one alone may, and none of
 * them come too short. Two may come together where none came for twice that time.
 */
public final class QuestionTurns {

  private final Duration gap;
  private Instant last = Instant.MIN;

  /** From when on the next one may come. */
  private Instant open = Instant.MIN;

  private QueryPace next;

  /**
   * @param gap what passes between two questions on average, at the least
   */
  public QuestionTurns(Duration gap) {
    this.gap = gap;
  }

  /**
   * Whether a question that is due by its own pace may be asked now; who may not is the next one,
   * unless another is, or does not come back.
   */
  public synchronized boolean takes(QueryPace who, Instant now) {
    boolean putBack = now.isBefore(last);
    if (!putBack && now.isBefore(open)) {
      next = next == null ? who : next;
      return false;
    }
    boolean waited = next != null && next != who && !putBack;
    if (waited && !now.isAfter(open.plus(gap))) {
      return false;
    }
    boolean rested = putBack || last.equals(Instant.MIN) || !now.isBefore(open.plus(gap));
    open = rested ? now : open.plus(gap);
    last = now;
    next = null;
    return true;
  }
}
