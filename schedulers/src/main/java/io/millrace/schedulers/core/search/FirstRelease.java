package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.HashMap;
import java.util.Map;

/**
 * When a shortage of one resource ends, by what is known of the ends of runs: the first end after
 * which as much is free as is needed, if nothing starts before.
 *
 * <p>One walk over the ends answers for all classes that are short of the resource. It is made when
 * somebody is told a reason, not in the cycle, and only for a resource on any nodes: what a place,
 * a property or several resources on one node need takes a search for each class.
 */
final class FirstRelease {

  private record Where(Pool pool, int resource) {}

  /** Free amounts at the ends of runs. The arrays run in parallel; amounts never fall. */
  private static final class FreeAmountCurve {
    private long changes;
    private long sum;
    private int size;
    private long[] times = {};

    /**
     * Free amount of the resource at each end: the sum over all nodes, and the most on one node.
     */
    private long[] totals = {};

    private long[] most = {};
  }

  private final ResourceReleases releases;
  private final Map<Where, FreeAmountCurve> curves = new HashMap<>();
  private long[] free = {};

  FirstRelease(ResourceReleases releases) {
    this.releases = releases;
  }

  /** Time from which on the class is short of the resource no more; UNKNOWN when nobody knows. */
  long endMs(ClassState owner, Shortage shortage, Pool pool) {
    boolean total = shortage.code() == ReasonCode.TOTAL_INSUFFICIENT;
    if (pool == null || !total && shortage.code() != ReasonCode.NODE_INSUFFICIENT) {
      return Shortage.UNKNOWN;
    }
    int resource = shortage.watch().resource();
    long needed = shortage.numbers().needed();
    // The amount is free on some node already, but another resource is missing there; this walk
    // cannot tell when both will be free.
    if (!anywhere(owner.shape(), pool) || !total && pool.free().most(resource) >= needed) {
      return Shortage.UNKNOWN;
    }
    FreeAmountCurve curve = curve(pool, resource);
    // Enough for all chunks in total is of no use before one node has enough for the largest chunk.
    int onNode = first(curve, curve.most, total ? owner.shape().largest(resource) : needed);
    int at = total ? Math.max(onNode, first(curve, curve.totals, needed)) : onNode;
    return at < curve.size ? curve.times[at] : Shortage.UNKNOWN;
  }

  /** True when the chunks may lie on any nodes, without property, host or group. */
  private static boolean anywhere(RequestShape shape, Pool pool) {
    if (!shape.placement().sharing().shares() || !pool.shared()) {
      return false;
    }
    for (ChunkKind kind : shape.kinds()) {
      if (!kind.matches().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Index of the first end at which at least the needed amount is free. */
  private static int first(FreeAmountCurve curve, long[] amounts, long needed) {
    int low = 0;
    int high = curve.size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (amounts[middle] < needed) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private FreeAmountCurve curve(Pool pool, int resource) {
    FreeAmountCurve curve =
        curves.computeIfAbsent(new Where(pool, resource), it -> new FreeAmountCurve());
    long sum = pool.free().sum(resource);
    if (curve.changes != releases.changes() || curve.sum != sum || curve.size == 0) {
      curve.changes = releases.changes();
      curve.sum = sum;
      walk(curve, pool, resource);
    }
    return curve;
  }

  private void walk(FreeAmountCurve curve, Pool pool, int resource) {
    NodeState[] nodes = pool.nodes();
    if (free.length < nodes.length) {
      free = new long[nodes.length];
    }
    long total = 0;
    long best = 0;
    for (int i = 0; i < nodes.length; i++) {
      free[i] = ResourceNames.at(nodes[i].free(), resource);
      total += nodes[i].usable() ? Math.max(0, free[i]) : 0;
      best = nodes[i].usable() ? Math.max(best, free[i]) : best;
    }
    curve.size = releases.size();
    if (curve.times.length < curve.size) {
      curve.times = new long[curve.size];
      curve.totals = new long[curve.size];
      curve.most = new long[curve.size];
    }
    for (int i = 0; i < curve.size; i++) {
      TimedAllocation hold = releases.get(i);
      for (NodeAllocation take : hold.held().takes()) {
        NodeState node = take.node();
        long amount = ResourceNames.at(take.amounts(), resource);
        if (node.pool() == pool && node.usable() && amount > 0) {
          long before = Math.max(0, free[node.index()]);
          free[node.index()] += amount;
          total += Math.max(0, free[node.index()]) - before;
          best = Math.max(best, free[node.index()]);
        }
      }
      curve.times[i] = hold.endMs();
      curve.totals[i] = total;
      curve.most[i] = best;
    }
  }
}
