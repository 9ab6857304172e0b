package io.millrace.schedulers.core;

import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.attributes.NodeSharing;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Node;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Nodes of the shard, in pools by partition and queue, and what is free on them. */
final class NodeTable {

  private final ResourceNames names;
  private final Map<String, NodeState> byName = new TreeMap<>();
  private final Map<String, HostState> hosts = new HashMap<>();
  private final Map<PoolKey, Pool> pools =
      new TreeMap<>(Comparator.comparing(PoolKey::partition).thenComparing(PoolKey::queue));

  /** Told of a pool whose nodes are other nodes, or of another size, than before. */
  private final Consumer<Pool> changed;

  /** Told when a queue that had no nodes of its own has some, or the other way round. */
  private final Runnable rebound;

  private final Bindings bindings = new Bindings();

  private ResourceTable resources = ResourceTable.standard();
  private NodeRanking ranking = NodeRanking.BY_NAME;
  private int nextId;

  NodeTable(ResourceNames names, Consumer<Pool> changed, Runnable rebound) {
    this.names = names;
    this.changed = changed;
    this.rebound = rebound;
  }

  /** One more than the highest node id given so far. */
  int idBound() {
    return nextId;
  }

  int hostIdBound() {
    return hosts.size();
  }

  ResourceTable resources() {
    return resources;
  }

  Collection<NodeState> all() {
    return byName.values();
  }

  /** Nodes that serve a queue; null when there were never any. */
  Pool pool(QueueState queue) {
    return pools.get(bindings.keyOf(queue));
  }

  Bindings bindings() {
    return bindings;
  }

  Collection<Pool> pools() {
    return pools.values();
  }

  NodeState get(String name) {
    return byName.get(name);
  }

  void resources(ResourceTable table) {
    resources = table;
    byName.values().forEach(this::refresh);
  }

  /** Chooses nodes in another order from now on. */
  void rank(NodeOrder order) {
    if (!order.equals(ranking.order())) {
      ranking = new NodeRanking(order, names);
      for (Pool pool : pools.values()) {
        pool.rank(ranking);
        changed.accept(pool);
      }
    }
  }

  /** The node's run-time side; null to forget it. Its load decides nothing here. */
  void node(String name, Node node) {
    NodeState state = state(name);
    boolean loaded = node != null && NodeLoads.among(node.getMeasured());
    state.node =
        loaded
            ? Node.newBuilder(node).setMeasured(NodeLoads.without(node.getMeasured())).build()
            : node;
    refresh(state);
  }

  /** The node is up; when that and what was measured is known, as in a report of load, no news. */
  void up(String name, String host, Map<String, Long> measured) {
    NodeState known = byName.get(name);
    Node before = known == null ? null : known.node;
    Map<String, Long> amounts = NodeLoads.without(measured);
    if (before != null
        && before.getUp()
        && before.getHost().equals(host)
        && before.getMeasured().equals(amounts)) {
      return;
    }
    Node.Builder node = before == null ? Node.newBuilder() : Node.newBuilder(before);
    if (!node.hasHoldings()) {
      node.setHoldings(List.of());
    }
    node(name, node.setName(name).setHost(host).setUp(true).setMeasured(amounts).build());
  }

  /** The node as administrators see it; null to forget it. */
  void object(String name, ClusterObject object) {
    NodeState state = state(name);
    boolean moved = bindings.moved(boundTo(state.object), boundTo(object));
    state.object = object;
    refresh(state);
    if (moved) {
      rebound.run();
    }
  }

  private static String boundTo(ClusterObject node) {
    return node == null ? "" : ObjectAttributes.text(node, "queue", "");
  }

  void take(Held held) {
    for (Take take : held.takes()) {
      occupy(take, held.asked(), 1);
    }
  }

  void giveBack(Held held) {
    for (Take take : held.takes()) {
      occupy(take, held.asked(), -1);
    }
  }

  private void occupy(Take take, Sharing asked, int sign) {
    NodeState node = take.node();
    long[] amounts = take.amounts();
    if (node.used.length < amounts.length) {
      node.used = Arrays.copyOf(node.used, amounts.length);
    }
    if (node.free.length < amounts.length) {
      node.free = Arrays.copyOf(node.free, amounts.length);
    }
    for (int resource = 0; resource < amounts.length; resource++) {
      long amount = sign * amounts[resource];
      node.used[resource] += amount;
      node.free[resource] -= amount;
    }
    node.occupy(asked, sign);
    if (asked.on(node.sharing) == Sharing.EXCLHOST && node.host != null) {
      node.host.nodes.forEach(NodeTable::refreshFree);
    } else {
      refreshFree(node);
    }
  }

  private static void refreshFree(NodeState node) {
    if (node.pool != null) {
      node.pool.refresh(node);
    }
  }

  private NodeState state(String name) {
    return byName.computeIfAbsent(name, it -> new NodeState(nextId++, it));
  }

  private void refresh(NodeState state) {
    Pool before = pools.get(state.key);
    if (before != null) {
      before.remove(state);
    }
    if (state.node == null && state.object == null) {
      byName.remove(state.name);
      lost(state);
    } else {
      read(state);
      Pool now = pools.computeIfAbsent(state.key, it -> new Pool(it, ranking));
      if (state.object != null) {
        now.add(state);
      }
      changed.accept(now);
    }
    if (before != null && before != pools.get(state.key) || !byName.containsKey(state.name)) {
      if (before != null) {
        changed.accept(before);
      }
    }
  }

  private void read(NodeState state) {
    String partition =
        state.object == null ? "" : ObjectAttributes.text(state.object, "partition", "");
    state.key =
        new PoolKey(
            partition.isEmpty() ? SchedulerState.DEFAULT_PARTITION : partition,
            boundTo(state.object));
    state.priority =
        state.object == null ? 0 : ObjectAttributes.signed(state.object, "Priority", 0);
    if (state.node == null) {
      lost(state);
      return;
    }
    NodeSharing sharing = NodeAmounts.sharing(state.object);
    if (sharing != state.sharing) {
      share(state, sharing);
    }
    HostState host =
        hosts.computeIfAbsent(state.node.getHost(), it -> new HostState(hosts.size(), it));
    if (state.host != host) {
      moveToHost(state, host);
    }
    boolean offline =
        state.object == null
            || ObjectAttributes.text(state.object, "state", "free").contains("offline");
    state.usable = state.node.getUp() && !offline && state.node.getOfferedTo() < 0;
    state.capacity = names.array(NodeAmounts.capacity(state.node, state.object, resources));
    state.properties = NodeAmounts.properties(state.node, state.object, resources);
    countFree(state);
  }

  /** The other nodes of its host are open to others, or closed, when this one is. */
  private void share(NodeState state, NodeSharing sharing) {
    state.share(sharing);
    if (state.host != null) {
      for (NodeState beside : state.host.nodes) {
        if (beside != state && beside.pool != null) {
          beside.pool.refresh(beside);
          changed.accept(beside.pool);
        }
      }
    }
  }

  private static void countFree(NodeState state) {
    state.free = Arrays.copyOf(state.capacity, Math.max(state.capacity.length, state.used.length));
    for (int resource = 0; resource < state.used.length; resource++) {
      state.free[resource] -= state.used[resource];
    }
  }

  /** Nothing of the node is there any more. */
  private static void lost(NodeState state) {
    state.usable = false;
    leaveHost(state);
    state.capacity = new long[0];
    state.properties = Map.of();
    countFree(state);
  }

  private static void leaveHost(NodeState state) {
    if (state.host != null) {
      state.host.holders -= state.holders;
      state.host.exclusive -= state.hostExclusive;
      state.host.nodes.remove(state);
      state.host = null;
    }
  }

  private static void moveToHost(NodeState state, HostState host) {
    leaveHost(state);
    state.host = host;
    host.nodes.add(state);
    host.holders += state.holders;
    host.exclusive += state.hostExclusive;
  }
}
