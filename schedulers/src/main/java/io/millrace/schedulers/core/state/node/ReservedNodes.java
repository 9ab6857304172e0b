package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ResourceNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What running reservations have of nodes, for the jobs of their queues.
 *
 * <p>Simple semantics: to its own jobs a reservation is a cluster. Each of its nodes is there again
 * with the reservation's share as its capacity and the node's own properties, in a pool that serves
 * the reservation's queue and no other. To everybody else the share is in use like that of a run. A
 * job has one of these nodes to itself only where the reservation has the whole node.
 */
public final class ReservedNodes {

  /** The nodes of one reservation, and their hosts, by name; lost: those not to be used. */
  private record ReservationNodes(
      Pool pool, Map<String, NodeState> nodes, Map<String, HostState> hosts, Set<String> lost) {}

  private final NodeTable table;
  private final Map<String, ReservationNodes> byQueue = new HashMap<>();

  /** The shares in which each node is, by its name. */
  private final Map<String, List<ReservationNodes>> byNode = new HashMap<>();

  ReservedNodes(NodeTable table) {
    this.table = table;
  }

  /** True when a queue is that of a running reservation. */
  public boolean has(String queue) {
    return !byQueue.isEmpty() && byQueue.containsKey(queue);
  }

  /** A reservation's part of a node; null when it has none. */
  NodeState get(String queue, String node) {
    ReservationNodes share = byQueue.get(queue);
    return share == null ? null : share.nodes.get(node);
  }

  /** True when a job of a reservation runs on its part of a node. */
  public boolean anyRuns(String queue, String node) {
    NodeState part = get(queue, node);
    return part != null && part.holders() > 0;
  }

  /** What the jobs of running reservations leave of their parts of a node, together. */
  public long[] unused(String node) {
    long[] sum = {};
    for (ReservationNodes share : byNode.getOrDefault(node, List.of())) {
      sum = NodeAllocation.sum(sum, share.nodes.get(node).free());
    }
    return sum;
  }

  /** True when what jobs of a reservation use would be within these parts of its nodes. */
  public boolean within(String queue, JobAllocation held) {
    ReservationNodes share = byQueue.get(queue);
    if (share == null) {
      return true;
    }
    Map<String, long[]> parts = new HashMap<>();
    held.takes().forEach(it -> parts.merge(it.node().name(), it.amounts(), NodeAllocation::sum));
    for (NodeState part : share.nodes.values()) {
      long[] there = parts.getOrDefault(part.name(), new long[0]);
      for (int resource = 0; resource < part.used().length; resource++) {
        if (part.used()[resource] > ResourceNames.at(there, resource)
            && !table.names().withoutLimit(resource)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Changes whenever more of a reservation's own nodes is free. */
  public long gains(String queue) {
    ReservationNodes share = byQueue.get(queue);
    return share == null ? 0 : share.pool.gains().end();
  }

  /**
   * Gives the queue of a reservation these parts of nodes; what its jobs hold of nodes that stay is
   * kept.
   *
   * @param lost names of those on which no further job may begin
   * @return whether those are others than before
   */
  public boolean set(String partition, Booked booked, Set<String> lost) {
    String queue = booked.name();
    JobAllocation held = booked.held();
    ReservationNodes share = byQueue.computeIfAbsent(queue, it -> open(partition, it));
    boolean others = !share.lost.equals(lost);
    share.lost.clear();
    share.lost.addAll(lost);
    Map<String, long[]> parts = new TreeMap<>();
    for (NodeAllocation take : held.takes()) {
      parts.merge(take.node().name(), take.amounts(), NodeAllocation::sum);
    }
    for (String name : List.copyOf(share.nodes.keySet())) {
      if (!parts.containsKey(name)) {
        leave(share, share.nodes.remove(name));
      }
    }
    for (NodeAllocation take : held.takes()) {
      NodeState base = take.node();
      NodeState part =
          share.nodes.computeIfAbsent(base.name(), it -> new NodeState(table.takeId(), it));
      List<ReservationNodes> shares = byNode.computeIfAbsent(base.name(), it -> new ArrayList<>(1));
      if (!shares.contains(share)) {
        shares.add(share);
      }
      part.partly(!booked.exclusive(base));
      copy(share, part, base, parts.get(base.name()));
    }
    return others;
  }

  private ReservationNodes open(String partition, String queue) {
    Pool pool = table.openPool(new PoolKey(partition, queue));
    return new ReservationNodes(pool, new TreeMap<>(), new HashMap<>(), new HashSet<>());
  }

  /**
   * The reservation has ended: its queue is served by no node. Returns the pool it had, or null.
   */
  public Pool close(String queue) {
    ReservationNodes share = byQueue.remove(queue);
    if (share == null) {
      return null;
    }
    List.copyOf(share.nodes.values()).forEach(it -> leave(share, it));
    table.closePool(share.pool);
    return share.pool;
  }

  private void leave(ReservationNodes share, NodeState part) {
    share.pool.remove(part);
    part.lost();
    if (part.holders() == 0 && part.promises().isEmpty()) {
      table.giveId(part.id());
    }
    List<ReservationNodes> others = byNode.get(part.name());
    others.remove(share);
    if (others.isEmpty()) {
      byNode.remove(part.name());
    }
  }

  /**
   * A node has changed: whether it may be used, its properties, or its host.
   *
   * @param elsewhere is told of each pool with a part of it that is of another partition
   */
  void changed(NodeState base, Consumer<Pool> elsewhere) {
    for (ReservationNodes share : byNode.getOrDefault(base.name(), List.of())) {
      NodeState part = share.nodes.get(base.name());
      copy(share, part, base, part.capacity());
      if (!share.pool.key().partition().equals(base.key().partition())) {
        elsewhere.accept(share.pool);
      }
    }
  }

  private static void copy(ReservationNodes share, NodeState part, NodeState base, long[] amounts) {
    share.pool.remove(part);
    part.belongs(share.pool.key(), base.priority());
    if (base.host() == null) {
      part.lost();
      part.measured(false, amounts, base.properties());
    } else {
      if (part.sharing() != base.sharing()) {
        part.share(base.sharing());
      }
      part.moved(share.hosts.computeIfAbsent(base.host().name(), HostState::new));
      part.measured(base.usable() && !share.lost.contains(base.name()), amounts, base.properties());
    }
    share.pool.add(part);
  }
}
