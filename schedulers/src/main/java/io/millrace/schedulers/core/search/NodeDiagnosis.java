package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.Shortage.ShortageAmounts;
import io.millrace.schedulers.core.model.Shortage.ShortageWatch;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.FreeTree;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.Map;
import java.util.TreeSet;

/** Why no node has room for a chunk: what it shows, and which of the amounts is too small. */
final class NodeDiagnosis {

  private static final int SHOWN_VALUES_MAX = 8;

  private final RoomWindow window;
  private final ResourceNames names;
  private final WorkCount work;

  NodeDiagnosis(RoomWindow window, ResourceNames names, WorkCount work) {
    this.window = window;
    this.names = names;
    this.work = work;
  }

  /** The request needs more of the resource than exists. */
  Shortage never(int resource, long needed, long free, long total) {
    ShortageAmounts numbers = new ShortageAmounts(needed, free, total);
    return shortage(ReasonCode.NEVER_FITS, resource, numbers, Watch.CHANGE);
  }

  /** The request needs more of the resource on one node than any node has free. */
  Shortage onNode(int resource, ShortageAmounts numbers) {
    Watch watch = new Watch(ShortageWatch.NODE, resource, numbers.needed());
    return shortage(ReasonCode.NODE_INSUFFICIENT, resource, numbers, watch);
  }

  Shortage shortage(ReasonCode code, int resource, ShortageAmounts numbers, Watch watch) {
    return new Shortage(code, names.name(resource), numbers, watch, Shortage.UNKNOWN);
  }

  /** A property that no node offers; null when some node offers all that are asked for. */
  Shortage property(ChunkKind kind, Pool pool) {
    if (kind.matches().isEmpty()) {
      return null;
    }
    work.add(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (window.matches(node, kind)) {
        return null;
      }
    }
    for (Map.Entry<String, String> match : kind.matches().entrySet()) {
      TreeSet<String> shown = new TreeSet<>();
      boolean found = false;
      for (NodeState node : pool.nodes()) {
        String value = node.properties().get(match.getKey());
        found |= match.getValue().equals(value) || !window.asks(node, match.getKey());
        if (value != null && shown.size() < SHOWN_VALUES_MAX) {
          shown.add(value);
        }
      }
      if (!found) {
        String text =
            match.getKey() + " (" + match.getValue() + " != " + String.join(",", shown) + ")";
        return Shortage.untilChange(ReasonCode.NO_MATCH, text);
      }
    }
    return Shortage.untilChange(ReasonCode.NO_MATCH, String.join(",", kind.matches().keySet()));
  }

  /**
   * Looks for a kind that no node has room for, and names the resource that is missing on nodes
   * that have enough of the others.
   */
  Shortage amount(RequestShape shape, ChunkKind kind, Pool pool) {
    if (kind.matches().isEmpty() && shape.placement().sharing().shares() && pool.shared()) {
      return amount(kind, pool);
    }
    int count = kind.resources().length;
    long[] best = new long[count];
    boolean[] alone = new boolean[count];
    long[] largest = new long[count];
    boolean everFits = false;
    work.add(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (!window.matches(node, kind)) {
        continue;
      }
      everFits |= kind.fits(node.capacity());
      for (int i = 0; i < count; i++) {
        long capacity = ResourceNames.at(node.capacity(), kind.resources()[i]);
        largest[i] = Math.max(largest[i], capacity);
      }
      if (!window.open(node, shape.placement().sharing())) {
        continue;
      }
      long[] free = window.free(node);
      if (kind.fits(free)) {
        return null;
      }
      int missing = onlyMissing(kind, free);
      if (missing >= 0) {
        alone[missing] = true;
        best[missing] = Math.max(best[missing], ResourceNames.at(free, kind.resources()[missing]));
      }
    }
    for (int i = 0; i < count; i++) {
      if (kind.amounts()[i] > largest[i]) {
        return never(kind.resources()[i], kind.amounts()[i], best[i], largest[i]);
      }
    }
    for (int i = 0; i < count && everFits; i++) {
      if (alone[i]) {
        return onNode(
            kind.resources()[i], new ShortageAmounts(kind.amounts()[i], best[i], largest[i]));
      }
    }
    return null;
  }

  /**
   * Finds the missing resource from the tree of free amounts, without a look at each node; for jobs
   * that share nodes and may go anywhere.
   */
  private Shortage amount(ChunkKind kind, Pool pool) {
    FreeTree free = pool.free();
    work.add(1);
    if (free.next(0, kind) < pool.nodes().length || !pool.everFits(kind)) {
      return null;
    }
    for (int i = 0; i < kind.resources().length; i++) {
      int resource = kind.resources()[i];
      long best = free.mostBeside(kind, i);
      if (best >= 0) {
        return onNode(
            resource, new ShortageAmounts(kind.amounts()[i], best, pool.mostCapacity(resource)));
      }
    }
    return null;
  }

  /** Index of the one resource of which there is too little; -1 when there are several. */
  private static int onlyMissing(ChunkKind kind, long[] free) {
    int missing = -1;
    for (int i = 0; i < kind.resources().length; i++) {
      if (ResourceNames.at(free, kind.resources()[i]) < kind.amounts()[i]) {
        if (missing >= 0) {
          return -1;
        }
        missing = i;
      }
    }
    return missing;
  }
}
