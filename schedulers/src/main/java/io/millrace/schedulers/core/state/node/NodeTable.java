package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Nodes of the shard, in pools by partition and queue, and what is free on them. */
public final class NodeTable {

  private final ResourceNames names;
  private final Map<String, NodeState> byName = new TreeMap<>();
  private final Map<String, HostState> hosts = new HashMap<>();
  private final Map<PoolKey, Pool> pools =
      new TreeMap<>(Comparator.comparing(PoolKey::partition).thenComparing(PoolKey::queue));

  /** Called with a pool whose nodes were added, removed or resized. */
  private final Consumer<Pool> changed;

  /** Called when a queue gets its first bound node or loses its last one. */
  private final Runnable rebound;

  private final Bindings bindings = new Bindings();
  private final BookingCalendar bookings = new BookingCalendar(this);
  private final ReservedNodes reserved = new ReservedNodes(this);
  private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();

  private ResourceTable resources = ResourceTable.standard();
  private Set<String> endless = Set.of();
  private NodeRanking ranking = NodeRanking.BY_NAME;
  private final HostTurn turn = new HostTurn();
  private int nextId;

  /** Number of the last end of a run that was counted. */
  private long uses;

  public NodeTable(ResourceNames names, Consumer<Pool> changed, Runnable rebound) {
    this.names = names;
    this.changed = changed;
    this.rebound = rebound;
  }

  /** Upper bound of the node ids given so far (exclusive). */
  public int idBound() {
    return nextId;
  }

  ResourceNames names() {
    return names;
  }

  public ResourceTable resources() {
    return resources;
  }

  /** A number for the end of a run: larger than all before, and than the times in records. */
  long nextUse() {
    return ++uses;
  }

  /** Tells of all nodes: their objects, and their records at run time. */
  public void retell(Consumer<ClusterObject> objects, Consumer<Node> records) {
    for (NodeState node : byName.values()) {
      if (node.object() != null) {
        objects.accept(node.object());
      }
      if (node.node() != null) {
        records.accept(node.node());
      }
    }
  }

  /** All nodes, by name. */
  public Collection<NodeState> all() {
    return byName.values();
  }

  /** Pool of the nodes that serve a queue of a partition; null when it never had nodes. */
  public Pool pool(String partition, String queue) {
    return pools.get(bindings.keyOf(partition, queue));
  }

  public Bindings bindings() {
    return bindings;
  }

  /** What running reservations have, for their jobs. */
  public ReservedNodes reserved() {
    return reserved;
  }

  /** A node as the jobs of a queue see it; null when it is not known. */
  NodeState get(String queue, String name) {
    return reserved.has(queue) ? reserved.get(queue, name) : byName.get(name);
  }

  /** The nodes of a partition that are bound to no queue; null when it never had any. */
  public Pool unbound(String partition) {
    return pools.get(PoolKey.unbound(partition));
  }

  /** A pool for the queue of a reservation. */
  Pool openPool(PoolKey key) {
    bindings.moved("", key.queue());
    return pools.computeIfAbsent(key, it -> new Pool(it, ranking));
  }

  void closePool(Pool pool) {
    bindings.moved(pool.key().queue(), "");
    pools.remove(pool.key());
  }

  /** A number for a part of a node; numbers that were given back are given again. */
  int takeId() {
    return freeIds.isEmpty() ? nextId++ : freeIds.pop();
  }

  void giveId(int id) {
    freeIds.push(id);
  }

  /** What reservations have booked. */
  public BookingCalendar bookings() {
    return bookings;
  }

  /** A node has one booking less; one that is gone is kept only for its bookings. */
  void unbooked(NodeState node) {
    if (node.node() == null && node.object() == null && node.bookings().isEmpty()) {
      byName.remove(node.name(), node);
    }
  }

  public Collection<Pool> pools() {
    return pools.values();
  }

  public NodeState get(String name) {
    return byName.get(name);
  }

  public void resources(ResourceTable table) {
    resources = table;
    refreshAll();
  }

  /** Of a copy: nodes that are gone, and have no booking any more, are let go of meanwhile. */
  private void refreshAll() {
    List.copyOf(byName.values()).forEach(this::refresh);
  }

  /** Sets the resources of which a node that says nothing has endlessly much, or any value. */
  public void endless(Set<String> of) {
    if (!of.equals(endless)) {
      endless = Set.copyOf(of);
      refreshAll();
    }
  }

  public Set<String> endless() {
    return endless;
  }

  /** Whether a node has to show a property that a chunk asks for. */
  public boolean asks(NodeState node, String property) {
    return names.compares(property)
        && (!endless.contains(property) || node.properties().containsKey(property));
  }

  /** Sets the order in which nodes are taken. */
  public void rank(NodeOrder order) {
    if (!order.equals(ranking.order())) {
      ranking = new NodeRanking(order, names, turn);
      for (Pool pool : pools.values()) {
        pool.rank(ranking);
        changed.accept(pool);
      }
    }
  }

  /**
   * Sets the node's record at run time; null removes it. Its load counts only where nodes are
   * sorted by it.
   */
  public void node(String name, Node node) {
    NodeState state = state(name);
    if (node != null) {
      loaded(state, node.getMeasured());
      state.usedUntil(node.getLastUsedMs());
      uses = Math.max(uses, node.getLastUsedMs());
    }
    boolean loaded = node != null && NodeLoads.among(node.getMeasured());
    state.seen(
        loaded
            ? Node.newBuilder(node).setMeasured(NodeLoads.ofRoom(node.getMeasured())).build()
            : node);
    refresh(state);
  }

  /**
   * The node reported itself up. Nothing changes when that and its measured values were known, as
   * in a load report.
   */
  void up(String name, String host, Map<String, Long> measured) {
    NodeState known = byName.get(name);
    Node before = known == null ? null : known.node();
    Map<String, Long> amounts = NodeLoads.ofRoom(measured);
    if (known != null) {
      loaded(known, measured);
    }
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
    loaded(byName.get(name), measured);
  }

  /** Takes over the average of five minutes, the one of which changes are reported. */
  private static void loaded(NodeState state, Map<String, Long> measured) {
    Long load = measured.get(NodeLoads.PREFIX + "load_medium");
    if (load != null) {
      state.loaded(load);
    }
  }

  /** Sets the node's object; null when it was deleted. */
  public void object(String name, ClusterObject object) {
    NodeState state = state(name);
    boolean moved = bindings.moved(boundTo(state.object()), boundTo(object));
    state.defined(object);
    refresh(state);
    if (moved) {
      rebound.run();
    }
  }

  private static String boundTo(ClusterObject node) {
    return node == null ? "" : ObjectAttributes.text(node, "queue", "");
  }

  void take(JobAllocation held) {
    for (NodeAllocation take : held.takes()) {
      occupy(take, held.asked(), 1);
    }
  }

  void giveBack(JobAllocation held) {
    for (NodeAllocation take : held.takes()) {
      occupy(take, held.asked(), -1);
    }
  }

  private static void occupy(NodeAllocation take, Sharing asked, int sign) {
    NodeState node = take.node();
    node.occupy(take.amounts(), asked, sign);
    if (asked.on(node.sharing()) == Sharing.EXCLHOST && node.host() != null) {
      node.host().nodes().forEach(NodeState::freeChanged);
    } else {
      node.freeChanged();
    }
  }

  /** A node that a reservation names, also one that is not known yet. */
  public NodeState named(String name) {
    return state(name);
  }

  private NodeState state(String name) {
    return byName.computeIfAbsent(name, it -> new NodeState(takeId(), it));
  }

  private void refresh(NodeState state) {
    Pool before = pools.get(state.key());
    if (before != null) {
      before.remove(state);
    }
    boolean gone = state.node() == null && state.object() == null;
    if (gone) {
      unbooked(state);
      state.lost();
    } else {
      read(state);
      Pool now = pools.computeIfAbsent(state.key(), it -> new Pool(it, ranking));
      if (state.object() != null) {
        now.add(state);
      }
      changed.accept(now);
    }
    reserved.changed(state, changed);
    if (before != null && before != pools.get(state.key()) || gone) {
      if (before != null) {
        changed.accept(before);
      }
    }
  }

  private void read(NodeState state) {
    ClusterObject object = state.object();
    String partition = object == null ? "" : ObjectAttributes.text(object, "partition", "");
    state.belongs(
        new PoolKey(partition.isEmpty() ? DefaultNames.PARTITION : partition, boundTo(object)),
        object == null ? 0 : ObjectAttributes.signed(object, "Priority", 0));
    Node node = state.node();
    if (node == null) {
      state.lost();
      return;
    }
    NodeSharing sharing = NodeAmounts.sharing(object);
    if (sharing != state.sharing()) {
      share(state, sharing);
    }
    state.moved(hosts.computeIfAbsent(node.getHost(), HostState::new));
    boolean offline =
        object == null || ObjectAttributes.text(object, "state", "free").contains("offline");
    state.heldOutside(names.array(NodeLoads.held(node.getMeasured())));
    state.measured(
        node.getUp()
            && !offline
            && node.getOfferedTo() < 0
            && NodeLoads.away(node.getMeasured()) == 0,
        names.array(capacity(node, object)),
        NodeAmounts.properties(node, object, resources));
  }

  private Map<String, Long> capacity(Node node, ClusterObject object) {
    Map<String, Long> has = NodeAmounts.capacity(node, object, resources);
    if (!endless.isEmpty()) {
      NodeAmounts.endless(endless, resources).forEach(has::putIfAbsent);
    }
    return has;
  }

  /** Sets the node's sharing, which also opens or closes the other nodes of its host. */
  private void share(NodeState state, NodeSharing sharing) {
    state.share(sharing);
    if (state.host() != null) {
      for (NodeState beside : state.host().nodes()) {
        if (beside != state && beside.pool() != null) {
          beside.freeChanged();
          changed.accept(pools.get(beside.key()));
        }
      }
    }
  }
}
