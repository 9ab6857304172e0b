package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.forward.PassedOrders.RunHolding;
import java.time.Instant;
import java.util.Optional;

/**
 * The hold of a run that waits outside, or its release, until the queue shows that it was carried
 * out. One that has begun is held no more: the hold of its job counts when it is run again.
 */
final class HoldOrder {

  private final OrderAnswer answer = new OrderAnswer();

  /**
   * What the queue shows of a run.
   *
   * @param state that it has shown
   * @param held whether the run waits and is held there
   * @param at when that was; MIN for never
   */
  record ShownRun(OutsideRunState state, boolean held, Instant at) {

    boolean isKnown() {
      return state.isOutside()
          && state != OutsideRunState.NOT_HEARD_OF
          && state != OutsideRunState.ENDING;
    }

    boolean hasBegun() {
      return state == OutsideRunState.RUNNING || state == OutsideRunState.SUSPENDED;
    }
  }

  /** What is to be passed on now. */
  Optional<OutsideAction> due(RunHolding hold, ShownRun shown, Instant now) {
    boolean release = hold == RunHolding.RELEASED;
    // What an earlier process has passed on may have been carried out.
    boolean unseen =
        hold == RunHolding.PASSED && answer.passed() == null && shown.at().equals(Instant.MIN);
    boolean wanted = release || (hold == RunHolding.WANTED || hold == RunHolding.PASSED) && !unseen;
    if (!wanted || !shown.isKnown() || shown.hasBegun() || next(hold, shown) != hold) {
      return Optional.empty();
    }
    OutsideAction action = release ? OutsideAction.RELEASE : OutsideAction.HOLD;
    boolean goes =
        action != answer.passed()
            || answer.isUnclearAgain(now)
            || answer.isDoneAgain(shown.at(), now);
    return goes ? Optional.of(action) : Optional.empty();
  }

  void answered(OutsideAction action, Controlled said, Instant now) {
    answer.take(action, said, now);
  }

  /** Where the hold stands now. */
  RunHolding next(RunHolding hold, ShownRun shown) {
    boolean release = hold == RunHolding.RELEASED;
    boolean passed = answer.passed() == (release ? OutsideAction.RELEASE : OutsideAction.HOLD);
    if (hold != RunHolding.NONE && shown.hasBegun()) {
      return RunHolding.NONE;
    }
    if (passed && answer.isFinal()) {
      return release ? RunHolding.NONE : RunHolding.REFUSED;
    }
    boolean settled = passed ? answer.isSettled(shown.at()) : !shown.at().equals(Instant.MIN);
    if (release) {
      return passed && settled && !shown.held() ? RunHolding.NONE : hold;
    }
    return hold == RunHolding.PASSED && settled && shown.held() ? RunHolding.SHOWN : hold;
  }
}
