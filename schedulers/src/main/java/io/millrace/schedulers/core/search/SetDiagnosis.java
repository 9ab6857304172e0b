package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.Shortage.ShortageAmounts;
import io.millrace.schedulers.core.model.Shortage.ShortageWatch;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.NodeSet;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/** Says why a job that has to lie in one placement set, or in one cluster, waits. */
final class SetDiagnosis {

  private final RoomWindow window;
  private final ResourceNames names;
  private final SetSearch sets;

  SetDiagnosis(RoomWindow window, ResourceNames names, SetSearch sets) {
    this.window = window;
    this.names = names;
    this.sets = sets;
  }

  /** Why the job can never run; null when it can, or for a reason without sets and clusters. */
  Shortage never(RequestShape shape, Pool pool) {
    if (shape.grouped() && !shape.sets().spans() && !sets.everFits(shape, pool)) {
      return Shortage.untilChange(ReasonCode.SET_NEVER, String.join(",", shape.sets().keys()));
    }
    NodeSets clusters = sets.clusters(shape, pool);
    return clusters == null || sets.everFits(shape, clusters)
        ? null
        : inNoCluster(ReasonCode.CLUSTER_NEVER, shape, Watch.CHANGE);
  }

  /**
   * Why there is room neither on nodes of one cluster of another system nor on those of none; null
   * when the job need not choose among them.
   */
  Shortage insufficientInClusters(RequestShape shape, Pool pool) {
    int cpus = names.number("ncpus");
    Watch watch = new Watch(ShortageWatch.NODE, cpus, shape.leastAmount(cpus));
    return sets.clusters(shape, pool) == null
        ? null
        : inNoCluster(ReasonCode.CLUSTER_INSUFFICIENT, shape, watch);
  }

  private static Shortage inNoCluster(ReasonCode code, RequestShape shape, Watch watch) {
    ShortageAmounts numbers = new ShortageAmounts(shape.chunks(), 0, 0);
    return new Shortage(code, shape.place(), numbers, watch, Shortage.UNKNOWN);
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
