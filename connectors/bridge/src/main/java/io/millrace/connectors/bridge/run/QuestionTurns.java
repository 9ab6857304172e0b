package io.millrace.connectors.bridge.run;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Has the questions of all paces of a cluster come no sooner after one another than one may, and
 * none of them come too short. The first of each kind need not wait.
 */
public final class QuestionTurns {

  private final Duration gap;
  private final Set<QueryPace> known = new HashSet<>();
  private Instant last = Instant.MIN;
  private QueryPace next;
  private Instant nextSince = Instant.MIN;

  /**
   * @param gap shortest time between two questions
   */
  public QuestionTurns(Duration gap) {
    this.gap = gap;
  }

  /**
   * Whether a question that is due by its own pace may be asked now; who may not is the next one,
   * unless another is, or does not come back.
   */
  public synchronized boolean takes(QueryPace who, Instant now) {
    boolean open = known.add(who) || now.isBefore(last) || !now.isBefore(last.plus(gap));
    boolean left =
        next == null || now.isBefore(nextSince.minus(gap)) || now.isAfter(nextSince.plus(gap));
    if (!open && left) {
      next = who;
      nextSince = last.plus(gap);
    }
    if (!open || next != null && next != who && !left) {
      return false;
    }
    last = now;
    next = null;
    return true;
  }
}
