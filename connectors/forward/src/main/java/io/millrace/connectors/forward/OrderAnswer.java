package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import java.time.Duration;
import java.time.Instant;

/**
 * What was answered to an order that is passed on until something shows that it was carried out,
 * and when the same is passed on again. One who has said no will say it again.
 */
final class OrderAnswer {

  /** After which time an order is passed on again that has shown nothing; each time it doubles. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private static final Duration AGAIN_MOST = Duration.ofMinutes(5);

  private OutsideAction passed;
  private Controlled answer;
  private Instant at = Instant.MIN;
  private Duration pause = AGAIN;

  /** What was passed on last; null for nothing. */
  OutsideAction passed() {
    return passed;
  }

  void take(OutsideAction action, Controlled said, Instant now) {
    pause = action == passed ? pause.multipliedBy(2) : AGAIN;
    pause = pause.compareTo(AGAIN_MOST) > 0 ? AGAIN_MOST : pause;
    passed = action;
    answer = said;
    at = now;
  }

  /** Whether it is to be passed on, for the first time or since nobody knows what came of it. */
  boolean isDue(Instant now) {
    return answer == null || isUnclearAgain(now);
  }

  /** Whether nobody knows what came of it, and it is time to pass it on again. */
  boolean isUnclearAgain(Instant now) {
    return answer instanceof Controlled.ControlUnclear && isLater(now);
  }

  /**
   * Whether it was to be carried out, and it is time to pass it on again since the queue shows that
   * it was not.
   *
   * @param seen when the queue was looked at
   */
  boolean isDoneAgain(Instant seen, Instant now) {
    return answer instanceof Controlled.Done && isLater(now) && !seen.isBefore(at);
  }

  private boolean isLater(Instant now) {
    return !now.isBefore(at.plus(pause));
  }

  /** Whether the queue was looked at after an answer that tells what has come of it. */
  boolean isSettled(Instant seen) {
    return passed != null && !(answer instanceof Controlled.ControlUnclear) && !seen.isBefore(at);
  }

  /** Whether there will be no other answer. */
  boolean isFinal() {
    return answer instanceof Controlled.ControlRefused
        || answer instanceof Controlled.OutsideJobGone;
  }
}
