package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.local.run.OrderSubject;
import java.time.Instant;
import java.util.Optional;

/**
 * An order to suspend or resume a run, until the queue shows that it was carried out. What the run
 * does is known as of the last look at the queue only: a run that was held because it waited may
 * have begun meanwhile, and is suspended when the queue shows that.
 */
final class StandingOrder {

  private final boolean resume;
  private final OrderAnswer answer = new OrderAnswer();

  StandingOrder(String order) {
    this.resume = order.equals(OrderSubject.RESUME);
  }

  boolean isResume() {
    return resume;
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
    return action != answer.passed() || isAgain(seen, now) ? Optional.of(action) : Optional.empty();
  }

  /** What waits there is held, so that it does not begin meanwhile. */
  private OutsideAction action(OutsideRunState state) {
    if (state.isWaitingOutside()) {
      return resume ? OutsideAction.RELEASE : OutsideAction.HOLD;
    }
    return resume ? OutsideAction.RESUME : OutsideAction.SUSPEND;
  }

  private boolean isAgain(Instant seen, Instant now) {
    return answer.isUnclearAgain(now)
        || answer.isDoneAgain(seen, now) && answer.passed() != OutsideAction.HOLD;
  }

  void answered(OutsideAction action, Controlled said, Instant now) {
    answer.take(action, said, now);
  }

  /** Whether the queue has shown after the answer that it was carried out. */
  boolean isDone(OutsideRunState state, Instant seen) {
    if (!answer.isSettled(seen)) {
      return false;
    }
    return resume
        ? state == OutsideRunState.RUNNING
            || state.isWaitingOutside() && answer.passed() == OutsideAction.RELEASE
        : state == OutsideRunState.SUSPENDED;
  }
}
