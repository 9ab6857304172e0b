package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationWindow;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds nodes for a reservation.
 *
 * <p>Simple semantics: the chunks are placed as those of a job that would start at the beginning of
 * the window and run to its end, on nodes that are free of runs by then, as far as their ends are
 * known, and free of bookings throughout. Promises to jobs do not count. Nothing is changed.
 */
public final class ReservationSearch {

  private final RoomWindow window;
  private final FirstFitSearch fit;
  private final ResourceNames names;
  private final WorkCount work;
  private final SetSearch sets;

  ReservationSearch(
      RoomWindow window, FirstFitSearch fit, ResourceNames names, WorkCount work, SetSearch sets) {
    this.window = window;
    this.fit = fit;
    this.names = names;
    this.work = work;
    this.sets = sets;
  }

  /** Nodes for all chunks; null when there is no room on those that may be taken. */
  public JobAllocation find(
      RequestShape shape, Pool pool, ReservationWindow within, NodeGate gate) {
    window.forReservation(within.fromMs(), within.toMs(), gate);
    return fit.placeApart(shape, pool);
  }

  /** True when the chunks would have room if there were neither runs nor bookings. */
  public boolean everFits(RequestShape shape, Pool pool) {
    window.empty();
    return fit.placeApart(shape, pool) != null;
  }

  /**
   * What a reservation has when others are looked for in the place of nodes that are lost.
   *
   * @param stays parts of nodes that it keeps
   * @param lost parts of nodes in whose place others are looked for
   */
  public record KeptAllocation(JobAllocation stays, List<NodeAllocation> lost) {}

  /** What is booked: the nodes of the reservation, and the others of hosts that it has alone. */
  public static JobAllocation booked(JobAllocation held) {
    return held.anyHostAlone() ? EarliestStartSearch.wholeHosts(held) : held;
  }

  /**
   * True when all these parts of nodes are free in the window, or free but for each other, and may
   * be taken.
   */
  public boolean holds(JobAllocation held, ReservationWindow within, NodeGate gate) {
    window.forReservation(within.fromMs(), within.toMs(), gate);
    window.restart();
    Map<NodeState, long[]> sums = new HashMap<>();
    for (NodeAllocation take : held.takes()) {
      work.add(1);
      long[] sum = sums.computeIfAbsent(take.node(), it -> new long[names.size()]);
      for (int resource = 0; resource < take.amounts().length; resource++) {
        sum[resource] += take.amounts()[resource];
      }
      if (!window.open(take.node(), held.asked())
          || !window.fits(take.node(), sum)
          || !gate.allows(take.node())) {
        return false;
      }
    }
    return true;
  }

  /** True when all these nodes may be taken, whether they are free or not. */
  public boolean allows(JobAllocation held, NodeGate gate) {
    work.add(held.takes().size());
    return held.takes().stream().map(NodeAllocation::node).distinct().allMatch(gate::allows);
  }

  /**
   * Nodes for the chunks that lay on nodes that are lost, beside those that stay.
   *
   * @param kept what it keeps, and what it has lost
   * @param gate which nodes it may take
   * @return one take for each part that is lost, or more; null when there is no room for all
   */
  public List<NodeAllocation> replace(
      RequestShape shape, Pool pool, ReservationWindow within, KeptAllocation kept, NodeGate gate) {
    window.forReservation(within.fromMs(), within.toMs(), gate);
    JobAllocation stays = kept.stays();
    List<NodeAllocation> lost = kept.lost();
    OpenNodes places = new OpenNodes(shape, stays, setsFor(shape, pool));
    List<NodeAllocation> found = new ArrayList<>();
    window.beginPlacement();
    stays.takes().forEach(it -> gate.has(it.node()));
    boolean all = true;
    for (int i = 0; i < lost.size() && all; i++) {
      ChunkKind kind = kindOf(shape, lost.get(i));
      all = kind != null && replace(places, pool, kind, lost.get(i), found);
    }
    window.endPlacement();
    return all ? found : null;
  }

  /** The placement sets in one of which the chunks have to lie; null when they need not. */
  private NodeSets setsFor(RequestShape shape, Pool pool) {
    return shape.grouped() && !sets.spans(shape, pool) ? sets.sets(shape, pool) : null;
  }

  /** True when no single cluster, nor the nodes of none, could ever hold the chunks. */
  public boolean lacksCluster(RequestShape shape, Pool pool) {
    return sets.clusters(shape, pool) != null && !sets.everFits(shape, sets.clusters(shape, pool));
  }

  private boolean replace(
      OpenNodes places,
      Pool pool,
      ChunkKind kind,
      NodeAllocation lost,
      List<NodeAllocation> found) {
    int left = Math.max(1, lost.chunks());
    for (NodeState node : pool.nodes()) {
      work.add(1);
      if (left == 0) {
        break;
      }
      if (node == lost.node() || !places.allow(node) || !window.open(node, places.sharing())) {
        continue;
      }
      int room = window.room(node, kind, places.apart() ? 1 : left);
      if (room > 0 && window.matches(node, kind) && window.allows(node)) {
        window.take(node, kind, room, names.size());
        found.add(chunks(node, kind, room));
        places.taken(node);
        left -= room;
      }
    }
    return left == 0;
  }

  /** The kind of which the chunks on a node are; null when they are of none. */
  private ChunkKind kindOf(RequestShape shape, NodeAllocation take) {
    for (ChunkKind kind : shape.kinds()) {
      if (chunksOf(kind, take) > 0) {
        return kind;
      }
    }
    return null;
  }

  /** Chunks of a kind that lie on a node; 0 when those that do are of another kind. */
  public int chunksOf(ChunkKind kind, NodeAllocation take) {
    long[] amounts = chunks(take.node(), kind, take.chunks()).amounts();
    return Arrays.equals(amounts, Arrays.copyOf(take.amounts(), amounts.length))
        ? take.chunks()
        : 0;
  }

  /** So many chunks of a kind on a node. */
  public NodeAllocation chunks(NodeState node, ChunkKind kind, int count) {
    long[] amounts = new long[names.size()];
    kind.addTo(amounts, count);
    return new NodeAllocation(node, count, amounts);
  }

  /** Which nodes the place directive leaves to chunks that are placed one after another. */
  private static final class OpenNodes {

    private final RequestShape shape;
    private final Arrangement arrangement;
    private final Set<Object> taken = new HashSet<>();

    private final NodeSets sets;

    /** Numbers of the placement sets that all nodes so far are in; null for any. */
    private BitSet common;

    private Object onlyHost;

    /** The cluster of another system of which all nodes so far are; null for any. */
    private String cluster;

    OpenNodes(RequestShape shape, JobAllocation stays, NodeSets sets) {
      this.sets = sets;
      this.shape = shape;
      this.arrangement = shape.chunks() == 1 ? Arrangement.FREE : shape.placement().arrangement();
      stays.takes().forEach(it -> taken(it.node()));
    }

    Sharing sharing() {
      return shape.placement().sharing();
    }

    boolean apart() {
      return arrangement == Arrangement.SCATTER || arrangement == Arrangement.VSCATTER;
    }

    private static Object host(NodeState node) {
      return node.host() == null ? node : node.host();
    }

    boolean allow(NodeState node) {
      return switch (arrangement) {
            case FREE -> true;
            case SCATTER -> !taken.contains(host(node));
            case VSCATTER -> !taken.contains(node);
            case PACK -> onlyHost == null || onlyHost == host(node);
          }
          && (cluster == null || cluster.equals(node.cluster()))
          && (common == null || Arrays.stream(sets.of(node)).anyMatch(common::get));
    }

    void taken(NodeState node) {
      taken.add(arrangement == Arrangement.SCATTER ? host(node) : node);
      onlyHost = host(node);
      cluster = node.cluster();
      if (sets != null) {
        BitSet here = new BitSet();
        Arrays.stream(sets.of(node)).forEach(here::set);
        if (common != null) {
          here.and(common);
        }
        common = here;
      }
    }
  }
}
