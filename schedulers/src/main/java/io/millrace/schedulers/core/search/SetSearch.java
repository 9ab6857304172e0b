package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeSet;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Looks for room for a job in one placement set after the other. A job may use several of them only
 * if no single one could ever hold it, and its scheduler allows that.
 */
public final class SetSearch {

  private final RoomWindow window;
  private final ResourceNames names;
  private final WorkCount work;

  SetSearch(RoomWindow window, ResourceNames names, WorkCount work) {
    this.window = window;
    this.names = names;
    this.work = work;
  }

  /** The sets that hold for a request. */
  NodeSets sets(RequestShape shape, Pool pool) {
    return pool.sets(shape.sets(), shape.severalHosts() && pool.mixed(), names);
  }

  /**
   * The nodes of each cluster of another system and those of none, where a request has to choose
   * among them, since no run has nodes of several; null where it has not.
   */
  NodeSets clusters(RequestShape shape, Pool pool) {
    return shape.severalHosts() && pool.mixed() ? pool.clusters(names) : null;
  }

  /** The groups of nodes in one of which a request has to lie; null when it may lie anywhere. */
  NodeSets within(RequestShape shape, Pool pool) {
    return shape.grouped() && !spans(shape, pool) ? sets(shape, pool) : clusters(shape, pool);
  }

  /** The sets in the order in which they are tried at the beginning of the window. */
  NodeSet[] inOrder(RequestShape shape, Pool pool, boolean now) {
    NodeSets sets = sets(shape, pool);
    if (now) {
      return sets.inOrder();
    }
    work.add(pool.nodes().length);
    return sets.inOrder(
        (node, resource) -> node.usable() ? ResourceNames.at(window.free(node), resource) : 0);
  }

  /** True when the nodes of a job that has to lie in one set may be of several. */
  public boolean spans(RequestShape shape, Pool pool) {
    return shape.sets().spans() && !everFits(shape, pool);
  }

  /** True when all chunks lie in one set, or need not, and on nodes of one cluster or of none. */
  boolean holds(JobAllocation held, RequestShape shape, Pool pool) {
    NodeSets clusters = clusters(shape, pool);
    return (!shape.grouped() || sets(shape, pool).inOne(held) || spans(shape, pool))
        && (clusters == null || clusters.inOne(held));
  }

  /** True when some set would hold the job if nothing ran. */
  boolean everFits(RequestShape shape, Pool pool) {
    return everFits(shape, sets(shape, pool));
  }

  /** True when one of these would hold the job if nothing ran. */
  boolean everFits(RequestShape shape, NodeSets sets) {
    Boolean known = sets.everFits(shape);
    if (known == null) {
      known = find(shape, sets);
      sets.everFits(shape, known);
    }
    return known;
  }

  /** From the largest set on, which is the likeliest. */
  private boolean find(RequestShape shape, NodeSets sets) {
    NodeSet[] order = sets.inOrder();
    for (int i = order.length - 1; i >= 0; i--) {
      work.add(1);
      if (!order[i].isTooSmall(shape) && fitsEmpty(shape, order[i])) {
        return true;
      }
    }
    return false;
  }

  private boolean fitsEmpty(RequestShape shape, NodeSet set) {
    if (shape.chunks() == 1 || shape.placement().arrangement() != Arrangement.PACK) {
      return fitsEmpty(shape, set.nodes());
    }
    for (NodeState[] host : set.hosts()) {
      if (fitsEmpty(shape, host)) {
        return true;
      }
    }
    return false;
  }

  /** Gives each chunk the first node that has room beside the chunks before. */
  private boolean fitsEmpty(RequestShape shape, NodeState[] nodes) {
    Arrangement arrangement =
        shape.chunks() == 1 ? Arrangement.FREE : shape.placement().arrangement();
    boolean apart = arrangement == Arrangement.SCATTER || arrangement == Arrangement.VSCATTER;
    Map<NodeState, long[]> left = new HashMap<>();
    Set<Object> taken = new HashSet<>();
    for (ChunkKind kind : shape.kinds()) {
      int missing = kind.count();
      for (int i = 0; i < nodes.length && missing > 0; i++) {
        NodeState node = nodes[i];
        work.add(1);
        Object place = arrangement == Arrangement.SCATTER ? node.host() : node;
        if (node.host() == null || apart && taken.contains(place)) {
          continue;
        }
        long[] here = left.getOrDefault(node, node.capacity());
        int room = kind.howMany(here, apart ? 1 : missing);
        if (room == 0 || !window.matches(node, kind)) {
          continue;
        }
        taken.add(place);
        left.put(node, less(here, kind, room));
        missing -= room;
      }
      if (missing > 0) {
        return false;
      }
    }
    return true;
  }

  private long[] less(long[] amounts, ChunkKind kind, int count) {
    long[] rest = new long[Math.max(amounts.length, names.size())];
    System.arraycopy(amounts, 0, rest, 0, amounts.length);
    kind.addTo(rest, -count);
    return rest;
  }
}
