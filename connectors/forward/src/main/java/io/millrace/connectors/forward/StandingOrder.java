package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.local.run.OrderSubject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An order to suspend or resume a run, until the queue shows that it was carried out. What the run
 * does is known as of the last look at the queue only: a run that was held because it waited may
 * have begun meanwhile, and is suspended when the queue shows that.
 */
final class StandingOrder {

  /** After which time an order is passed on again that has shown nothing; each time it doubles. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private static final Duration AGAIN_MOST = Duration.ofMinutes(5);

  private final boolean resume;
  private OutsideAction passed;
  private Controlled answer;
  private Instant answeredAt = Instant.MIN;
  private Duration pause = AGAIN;

  StandingOrder(String order) {
    this.resume = order.equals(OrderSubject.RESUME);
  }

  /**
   * What is to be passed on now.
   *
   * @param state that the queue has shown
   * @param seen when that was
   */
  Optional<OutsideAction> due(OutsideRunState state, Instant seen, Instant now) {
    boolean known =
        state.isOutside()
            && state != OutsideRunState.NOT_HEARD_OF
            && state != OutsideRunState.ENDING;
    if (!known || isDone(state, seen)) {
      return Optional.empty();
    }
    OutsideAction action = action(state);
    return action != passed || isAgain(seen, now) ? Optional.of(action) : Optional.empty();
  }

  /** What waits there is held, so that it does not begin meanwhile. */
  private OutsideAction action(OutsideRunState state) {
    if (state.isWaitingOutside()) {
      return resume ? OutsideAction.RELEASE : OutsideAction.HOLD;
    }
    return resume ? OutsideAction.RESUME : OutsideAction.SUSPEND;
  }

  /** Whether the same is to be passed on again. One who has said no will say it again. */
  private boolean isAgain(Instant seen, Instant now) {
    boolean later = !now.isBefore(answeredAt.plus(pause));
    if (answer instanceof Controlled.Done) {
      return later && !seen.isBefore(answeredAt) && passed != OutsideAction.HOLD;
    }
    return later && answer instanceof Controlled.ControlUnclear;
  }

  void answered(OutsideAction action, Controlled said, Instant now) {
    pause = action == passed ? pause.multipliedBy(2) : AGAIN;
    pause = pause.compareTo(AGAIN_MOST) > 0 ? AGAIN_MOST : pause;
    passed = action;
    answer = said;
    answeredAt = now;
  }

  /** Whether the queue has shown after the answer that it was carried out. */
  boolean isDone(OutsideRunState state, Instant seen) {
    if (passed == null
        || answer instanceof Controlled.ControlUnclear
        || seen.isBefore(answeredAt)) {
      return false;
    }
    return resume
        ? state == OutsideRunState.RUNNING
            || state.isWaitingOutside() && passed == OutsideAction.RELEASE
        : state == OutsideRunState.SUSPENDED;
  }
}
