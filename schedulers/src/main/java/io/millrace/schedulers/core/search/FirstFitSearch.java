package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.FreeTree;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeRanking;
import io.millrace.schedulers.core.state.node.NodeSet;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives each chunk of a request the first node, in the order of the pool or, for now, of its {@link
 * NodeRanking}, on which it fits in a window. Changes nothing.
 */
public final class FirstFitSearch {

  private final RoomWindow window;
  private final ResourceNames names;
  private final WorkCount work;
  private final SetSearch sets;
  private int found;

  /** Whether chunks of several kinds on one node are told apart in what is found. */
  private boolean apart;

  FirstFitSearch(RoomWindow window, ResourceNames names, WorkCount work, SetSearch sets) {
    this.window = window;
    this.names = names;
    this.work = work;
    this.sets = sets;
  }

  /** True when {@link #found} tells how many chunks a failed try for such a shape did place. */
  public boolean counts(RequestShape shape, Pool pool) {
    return shape.kinds().length == 1
        && arrangement(shape) == Arrangement.FREE
        && !shape.grouped()
        && sets.clusters(shape, pool) == null;
  }

  /** Chunks for which the last try that counts found room. */
  public int found() {
    return found;
  }

  /** Records that no try was made, because there was no room or too little in all. */
  public void foundNothing() {
    found = 0;
  }

  /** Chunks for which a node has room, at most as many as the job has. */
  public int room(NodeState node, RequestShape shape) {
    ChunkKind kind = shape.kinds()[0];
    if (!window.open(node, shape.placement().sharing())) {
      return 0;
    }
    int room = window.room(node, kind, kind.count());
    return room > 0 && window.matches(node, kind) ? room : 0;
  }

  /** Chunks of a shape that {@link #counts} for which there is room, at most as many as it has. */
  int count(RequestShape shape, Pool pool) {
    ChunkKind kind = shape.kinds()[0];
    int count = 0;
    int nodes = pool.nodes().length;
    int n = pool.free().next(0, kind);
    while (n < nodes && count < shape.chunks()) {
      work.add(1);
      count += room(pool.nodes()[n], shape);
      n = pool.free().next(n + 1, kind);
    }
    return Math.min(count, shape.chunks());
  }

  private static Arrangement arrangement(RequestShape shape) {
    return shape.chunks() == 1 ? Arrangement.FREE : shape.placement().arrangement();
  }

  private record Placed(NodeState node, ChunkKind kind, int count) {}

  /**
   * Room for one job; null when it does not fit.
   *
   * @param free what is free now on the pool's nodes, when the window begins now; null otherwise
   */
  public JobAllocation place(RequestShape shape, Pool pool, FreeTree free) {
    if (!shape.grouped()) {
      return placeAnywhere(shape, pool, free);
    }
    JobAllocation held = placeInSet(shape, pool, free);
    return held == null && sets.spans(shape, pool) ? placeAnywhere(shape, pool, free) : held;
  }

  private JobAllocation placeAnywhere(RequestShape shape, Pool pool, FreeTree free) {
    NodeSets clusters = sets.clusters(shape, pool);
    if (clusters != null) {
      return placeInCluster(shape, pool, free, clusters);
    }
    Arrangement arrangement = arrangement(shape);
    boolean ranked = free != null && pool.ranking().changesWithRuns();
    if (free != null && pool.ranking().inTurn() && arrangement == Arrangement.FREE) {
      return placeInTurn(shape, pool);
    }
    if (arrangement == Arrangement.FREE && shape.kinds().length == 1) {
      return ranked ? fillBest(shape, pool, free) : fill(shape, pool.nodes(), free);
    }
    window.beginPlacement();
    List<Placed> placed = null;
    if (arrangement == Arrangement.PACK) {
      placed = ranked ? packBest(shape, pool) : pack(shape, pool, free);
    } else if (ranked) {
      work.add(pool.nodes().length);
      placed = spread(shape, pool.ranking().sorted(pool.nodes()), arrangement, null);
    } else {
      placed = spread(shape, pool.nodes(), arrangement, free);
    }
    window.endPlacement();
    return placed == null ? null : held(shape, placed);
  }

  /**
   * Room for a reservation in a window that is open; kinds of chunks are told apart. Null when
   * there is none.
   */
  JobAllocation placeApart(RequestShape shape, Pool pool) {
    apart = true;
    JobAllocation held = place(shape, pool, (FreeTree) null);
    apart = false;
    return held;
  }

  /**
   * Room for one job in a later window, when the room of each node for chunks of the first kind is
   * already known.
   *
   * @param rooms chunks by index of the node
   */
  JobAllocation place(RequestShape shape, Pool pool, int[] rooms) {
    return counts(shape, pool)
        ? fill(shape, pool.nodes(), rooms)
        : place(shape, pool, (FreeTree) null);
  }

  /** From the host on whose turn it is. */
  private JobAllocation placeInTurn(RequestShape shape, Pool pool) {
    NodeState[] nodes = pool.ranking().fromTurn(pool.nodes());
    work.add(nodes.length);
    if (shape.kinds().length == 1) {
      return fill(shape, nodes, (FreeTree) null);
    }
    window.beginPlacement();
    List<Placed> placed = spread(shape, nodes, Arrangement.FREE, null);
    window.endPlacement();
    return placed == null ? null : held(shape, placed);
  }

  private JobAllocation fill(RequestShape shape, NodeState[] nodes, int[] rooms) {
    ChunkKind kind = shape.kinds()[0];
    List<NodeAllocation> takes = new ArrayList<>();
    int left = kind.count();
    for (int i = 0; i < nodes.length && left > 0; i++) {
      if (rooms[i] > 0) {
        int room = Math.min(left, rooms[i]);
        long[] amounts = new long[names.size()];
        kind.addTo(amounts, room);
        takes.add(new NodeAllocation(nodes[i], room, amounts));
        left -= room;
      }
    }
    return left > 0 ? null : new JobAllocation(takes, shape.placement().sharing());
  }

  /** The most frequent case: chunks of one kind, as many on each node as fit. */
  private JobAllocation fill(RequestShape shape, NodeState[] nodes, FreeTree free) {
    ChunkKind kind = shape.kinds()[0];
    Sharing sharing = shape.placement().sharing();
    window.restart();
    NodeAllocation first = null;
    List<NodeAllocation> takes = null;
    int left = kind.count();
    int n = free == null ? 0 : free.next(0, kind);
    while (n < nodes.length && left > 0) {
      NodeState node = nodes[n];
      work.add(1);
      int room = window.open(node, sharing) ? window.room(node, kind, left) : 0;
      if (room > 0 && window.matches(node, kind) && window.allows(node)) {
        long[] amounts = new long[names.size()];
        kind.addTo(amounts, room);
        NodeAllocation take = new NodeAllocation(node, room, amounts);
        left -= room;
        if (first == null) {
          first = take;
        } else {
          if (takes == null) {
            takes = new ArrayList<>();
            takes.add(first);
          }
          takes.add(take);
        }
      }
      n = free == null ? n + 1 : free.next(n + 1, kind);
    }
    found = kind.count() - left;
    if (left > 0 || first == null) {
      return null;
    }
    return new JobAllocation(takes == null ? List.of(first) : takes, sharing);
  }

  /** The whole job in the first placement set that has room. */
  private JobAllocation placeInSet(RequestShape shape, Pool pool, FreeTree free) {
    boolean ranked = free != null && pool.ranking().changesWithRuns();
    for (NodeSet set : sets.inOrder(shape, pool, free != null)) {
      work.add(1);
      if (set.isTooSmall(shape) || free != null && set.isShort(shape)) {
        continue;
      }
      NodeState[] nodes = ranked ? pool.ranking().sorted(set.nodes()) : set.nodes();
      FreeTree tree = free == null || ranked ? null : set.free();
      JobAllocation held = placeOn(shape, nodes, tree);
      if (held != null) {
        return held;
      }
    }
    return null;
  }

  /** The whole job on nodes of the first cluster, or of none, that has room. */
  private JobAllocation placeInCluster(
      RequestShape shape, Pool pool, FreeTree free, NodeSets clusters) {
    boolean turn =
        free != null && pool.ranking().inTurn() && arrangement(shape) == Arrangement.FREE;
    if (turn || free != null && pool.ranking().changesWithRuns()) {
      work.add(pool.nodes().length);
      NodeState[] order =
          turn ? pool.ranking().fromTurn(pool.nodes()) : pool.ranking().sorted(pool.nodes());
      return placeOnFirst(shape, NodeRanking.clusters(order));
    }
    for (NodeSet set : clusters.byFirstNode()) {
      work.add(1);
      if (set.isTooSmall(shape) || free != null && set.isShort(shape)) {
        continue;
      }
      JobAllocation held = placeOn(shape, set.nodes(), free == null ? null : set.free());
      if (held != null) {
        return held;
      }
    }
    return null;
  }

  private JobAllocation placeOnFirst(RequestShape shape, NodeState[][] groups) {
    for (NodeState[] nodes : groups) {
      JobAllocation held = placeOn(shape, nodes, null);
      if (held != null) {
        return held;
      }
    }
    return null;
  }

  /**
   * @param free what is free now on the nodes, in their order; null when that does not count
   */
  private JobAllocation placeOn(RequestShape shape, NodeState[] nodes, FreeTree free) {
    Arrangement arrangement = arrangement(shape);
    if (arrangement == Arrangement.FREE && shape.kinds().length == 1) {
      return fill(shape, nodes, free);
    }
    window.beginPlacement();
    List<Placed> placed =
        arrangement == Arrangement.PACK
            ? packOn(shape, NodeRanking.hosts(nodes))
            : spread(shape, nodes, arrangement, free);
    window.endPlacement();
    return placed == null ? null : held(shape, placed);
  }

  /** Places chunks of one kind on the best nodes by a ranking that depends on what runs now. */
  private JobAllocation fillBest(RequestShape shape, Pool pool, FreeTree free) {
    ChunkKind kind = shape.kinds()[0];
    List<NodeState> able = new ArrayList<>();
    for (int n = free.next(0, kind); n < pool.nodes().length; n = free.next(n + 1, kind)) {
      work.add(1);
      if (room(pool.nodes()[n], shape) > 0) {
        able.add(pool.nodes()[n]);
      }
    }
    pool.ranking().sort(able);
    List<NodeAllocation> takes = new ArrayList<>();
    int left = kind.count();
    for (int i = 0; i < able.size() && left > 0; i++) {
      int room = Math.min(left, room(able.get(i), shape));
      long[] amounts = new long[names.size()];
      kind.addTo(amounts, room);
      takes.add(new NodeAllocation(able.get(i), room, amounts));
      left -= room;
    }
    found = kind.count() - left;
    return left > 0 || takes.isEmpty()
        ? null
        : new JobAllocation(takes, shape.placement().sharing());
  }

  private List<Placed> packBest(RequestShape shape, Pool pool) {
    work.add(pool.nodes().length);
    return packOn(shape, pool.ranking().sortedHosts(pool.nodes()));
  }

  private List<Placed> packOn(RequestShape shape, NodeState[][] hosts) {
    for (NodeState[] host : hosts) {
      List<Placed> placed = spread(shape, host, Arrangement.FREE, null);
      if (placed != null) {
        return placed;
      }
    }
    return null;
  }

  private List<Placed> pack(RequestShape shape, Pool pool, FreeTree free) {
    NodeState[][] hosts = pool.hosts();
    // With one node per host, the order of hosts is the order of nodes.
    boolean oneNodeEach = free != null && hosts.length == pool.nodes().length;
    int h = oneNodeEach ? free.next(0, shape.kinds()[0]) : 0;
    while (h < hosts.length) {
      List<Placed> placed = spread(shape, hosts[h], Arrangement.FREE, null);
      if (placed != null) {
        return placed;
      }
      h = oneNodeEach ? free.next(h + 1, shape.kinds()[0]) : h + 1;
    }
    return null;
  }

  private List<Placed> spread(
      RequestShape shape, NodeState[] nodes, Arrangement arrangement, FreeTree free) {
    List<Placed> placed = new ArrayList<>();
    Set<Object> taken = arrangement == Arrangement.FREE ? Set.of() : new HashSet<>();
    Sharing sharing = shape.placement().sharing();
    boolean apart = arrangement != Arrangement.FREE;
    for (ChunkKind kind : shape.kinds()) {
      int left = kind.count();
      int n = free == null ? 0 : free.next(0, kind);
      while (n < nodes.length && left > 0) {
        NodeState node = nodes[n];
        n = free == null ? n + 1 : free.next(n + 1, kind);
        work.add(1);
        if (!window.open(node, sharing)) {
          continue;
        }
        Object place = arrangement == Arrangement.SCATTER ? node.host() : node;
        int room = window.room(node, kind, apart ? 1 : left);
        boolean fits = room > 0 && !(apart && taken.contains(place));
        if (!fits || !window.matches(node, kind) || !window.allows(node)) {
          continue;
        }
        if (apart) {
          taken.add(place);
        }
        window.take(node, kind, room, names.size());
        placed.add(new Placed(node, kind, room));
        left -= room;
      }
      if (left > 0) {
        window.endPlacement();
        window.beginPlacement();
        return null;
      }
    }
    return placed;
  }

  private JobAllocation held(RequestShape shape, List<Placed> placed) {
    List<NodeAllocation> takes = new ArrayList<>(placed.size());
    for (Placed it : placed) {
      int known = 0;
      // Several kinds on one node are few; one kind lies on a node once.
      while (several(shape) && known < takes.size() && takes.get(known).node() != it.node()) {
        known++;
      }
      boolean again = several(shape) && known < takes.size();
      long[] amounts = again ? takes.get(known).amounts() : new long[names.size()];
      it.kind.addTo(amounts, it.count);
      int chunks = it.count + (again ? takes.get(known).chunks() : 0);
      NodeAllocation take = new NodeAllocation(it.node(), chunks, amounts);
      if (again) {
        takes.set(known, take);
      } else {
        takes.add(take);
      }
    }
    return new JobAllocation(takes, shape.placement().sharing());
  }

  private boolean several(RequestShape shape) {
    return shape.kinds().length > 1 && !apart;
  }
}
