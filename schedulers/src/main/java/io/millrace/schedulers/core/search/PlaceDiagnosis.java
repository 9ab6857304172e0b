package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.Shortage.ShortageAmounts;
import io.millrace.schedulers.core.model.Shortage.ShortageWatch;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;

/**
 * Counts for how many chunks of a request there is room: explains why a request does not fit
 * although each node has enough of every resource.
 */
final class PlaceDiagnosis {

  private final RoomWindow window;
  private final FirstFitSearch fit;
  private final ResourceNames names;
  private final WorkCount work;

  PlaceDiagnosis(RoomWindow window, FirstFitSearch fit, ResourceNames names, WorkCount work) {
    this.window = window;
    this.fit = fit;
    this.names = names;
    this.work = work;
  }

  Shortage of(RequestShape shape, Pool pool) {
    if (fit.counts(shape, pool)
        && shape.kinds()[0].matches().isEmpty()
        && shape.placement().sharing().shares()) {
      return shortage(shape, fit.count(shape, pool), pool.ever(shape.kinds()[0]));
    }
    Rooms rooms = rooms(shape, pool.hosts());
    return shortage(shape, rooms.now, rooms.ever);
  }

  /** Chunks for which there is room now, and when nothing runs. */
  private record Rooms(long now, long ever) {}

  private Rooms rooms(RequestShape shape, NodeState[][] hosts) {
    Arrangement arrangement = shape.placement().arrangement();
    long now = 0;
    long ever = 0;
    for (NodeState[] host : hosts) {
      long hostNow = 0;
      long hostEver = 0;
      for (NodeState node : host) {
        boolean open = window.open(node, shape.placement().sharing());
        long nodeNow = open ? room(shape, node, window.free(node)) : 0;
        long nodeEver = roomAtMost(shape, node, node.capacity());
        boolean single = arrangement == Arrangement.VSCATTER;
        hostNow += single ? Math.min(1, nodeNow) : nodeNow;
        hostEver += single ? Math.min(1, nodeEver) : nodeEver;
      }
      boolean single = arrangement == Arrangement.SCATTER;
      boolean most = arrangement == Arrangement.PACK;
      now = most ? Math.max(now, hostNow) : now + (single ? Math.min(1, hostNow) : hostNow);
      ever = most ? Math.max(ever, hostEver) : ever + (single ? Math.min(1, hostEver) : hostEver);
    }
    work.add(hosts.length);
    return new Rooms(now, ever);
  }

  private Shortage shortage(RequestShape shape, long now, long ever) {
    int cpus = names.number("ncpus");
    boolean never = ever < shape.chunks();
    return new Shortage(
        never ? ReasonCode.PLACE_NEVER : ReasonCode.PLACE_INSUFFICIENT,
        shape.place().isEmpty() ? "free" : shape.place(),
        new ShortageAmounts(
            shape.chunks(), Math.min(now, shape.chunks()), Math.min(ever, shape.chunks())),
        never ? Watch.CHANGE : new Watch(ShortageWatch.NODE, cpus, shape.leastAmount(cpus)),
        Shortage.UNKNOWN);
  }

  /**
   * Number of chunks that fit into the amounts, for the kind of which most fit, so that the number
   * reported as free really fits.
   */
  private long room(RequestShape shape, NodeState node, long[] amounts) {
    long most = 0;
    for (ChunkKind kind : shape.kinds()) {
      if (window.matches(node, kind)) {
        most = Math.max(most, kind.howMany(amounts, kind.count()));
      }
    }
    return most;
  }

  /**
   * Upper bound of the chunks of all kinds together that fit into the amounts, each kind counted by
   * itself.
   */
  private long roomAtMost(RequestShape shape, NodeState node, long[] amounts) {
    long sum = 0;
    for (ChunkKind kind : shape.kinds()) {
      if (window.matches(node, kind)) {
        sum += kind.howMany(amounts, kind.count());
      }
    }
    return sum;
  }
}
