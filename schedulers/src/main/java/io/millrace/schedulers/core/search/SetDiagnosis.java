package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.Shortage.ShortageAmounts;
import io.millrace.schedulers.core.model.Shortage.ShortageWatch;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.NodeSet;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/** Says why a job that has to lie in one placement set waits, in PBS's way. */
final class SetDiagnosis {

  private final RoomWindow window;
  private final ResourceNames names;
  private final SetSearch sets;

  SetDiagnosis(RoomWindow window, ResourceNames names, SetSearch sets) {
    this.window = window;
    this.names = names;
    this.sets = sets;
  }

  /** Why the job can never run; null when it can, or for a reason without sets. */
  Shortage never(RequestShape shape, Pool pool) {
    return shape.sets().spans() || sets.everFits(shape, pool)
        ? null
        : Shortage.untilChange(ReasonCode.SET_NEVER, String.join(",", shape.sets().keys()));
  }

  /**
   * Why no set has room now; null when it is not for the sets. As in PBS the last set that is tried
   * is named.
   */
  Shortage insufficient(RequestShape shape, Pool pool) {
    if (sets.spans(shape, pool)) {
      return null;
    }
    NodeSet[] order = sets.inOrder(shape, pool, true);
    int cpus = names.number("ncpus");
    return new Shortage(
        ReasonCode.SET_INSUFFICIENT,
        order[order.length - 1].name(),
        ShortageAmounts.NONE,
        new Watch(ShortageWatch.NODE, cpus, shape.leastAmount(cpus)),
        Shortage.UNKNOWN);
  }
}
