package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import java.util.Optional;

/**
 * Whether nobody knows what the hosts of a cluster do: they were asked for in vain, again and again
 * or while nothing else was answered. What else is not answered, as the question for the queue
 * alone, says nothing of them, and does not make them unknown between two answers about them.
 */
public final class HostSilence {

  /** So many questions for them in a row without an answer, and they are unknown. */
  private static final int UNANSWERED = 2;

  private final CircuitBreaker breaker;
  private volatile int unanswered;
  private volatile String why = "";
  private boolean queueUntold;

  /**
   * @param breaker of all who ask the cluster anything
   */
  public HostSilence(CircuitBreaker breaker) {
    this.breaker = breaker;
  }

  /** The hosts were told. */
  public void answered() {
    unanswered = 0;
    why = "";
  }

  /** They were not. */
  public void silent(String reason) {
    why = reason;
    unanswered++;
  }

  /**
   * Whether the queue is told. When it is not any more the hosts are asked for soon: the cluster
   * may be gone.
   *
   * @param pace of questions for the hosts
   */
  public void queue(boolean told, QueryPace pace) {
    if (!told && !queueUntold) {
      pace.hurry();
    }
    queueUntold = !told;
  }

  /** Why nobody knows what they do; empty when it is known. */
  public Optional<String> why() {
    boolean silent = unanswered >= UNANSWERED || unanswered > 0 && breaker.isOpen();
    return silent ? Optional.of(why) : Optional.empty();
  }

  /** Questions for them in a row without an answer. */
  public int unanswered() {
    return unanswered;
  }
}
