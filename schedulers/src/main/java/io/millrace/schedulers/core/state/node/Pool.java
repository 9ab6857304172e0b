package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nodes that serve the same queues of one partition. */
public final class Pool implements NodePool {

  private static final Sharing[] SHARINGS = Sharing.values();

  private final PoolKey key;

  /** All nodes that are defined, usable or not, by name. */
  private final TreeMap<String, NodeState> nodes = new TreeMap<>();

  /**
   * True when the arrays below have to be computed again, because nodes were added, removed or
   * changed.
   */
  private boolean stale;

  private NodeRanking ranking;

  private NodeState[] ordered = {};
  private NodeState[][] byHost = {};
  private FreeTree free = new FreeTree(ordered);
  private long[] sumCapacity = {};
  private long[] mostCapacity = {};
  private int usable;
  private boolean shared;
  private final boolean[] hostAlone = new boolean[SHARINGS.length];

  /** True when its nodes are of several clusters of other systems, or of one and of none. */
  private boolean mixed;

  /** The nodes of each of these; null while nobody has asked. */
  private NodeSets clusters;

  /** What makes sets of nodes one of another. */
  private record SetKey(List<String> keys, boolean explicitOnly, boolean apart) {}

  /** The placement sets that were asked for since nodes were changed. */
  private final Map<SetKey, NodeSets> sets = new HashMap<>();

  /** Capacity vectors of the nodes, with the number of nodes that have each. */
  private final Map<long[], Integer> sizes = new TreeMap<>(Arrays::compare);

  private final GainLog gains = new GainLog();

  /** Nodes with more free than when waiting classes were woken last. */
  private final List<NodeState> touched = new ArrayList<>();

  Pool(PoolKey key, NodeRanking ranking) {
    this.key = key;
    this.ranking = ranking;
  }

  public PoolKey key() {
    return key;
  }

  /** The order in which nodes with room are taken. */
  public NodeRanking ranking() {
    return ranking;
  }

  void rank(NodeRanking other) {
    ranking = other;
    stale = true;
  }

  public NodeState[] nodes() {
    settle();
    return ordered;
  }

  /** The nodes of each host, hosts in the order of their first nodes. */
  public NodeState[][] hosts() {
    settle();
    return byHost;
  }

  /** True when its nodes are of several clusters of other systems, or of one and of none. */
  public boolean mixed() {
    settle();
    return mixed;
  }

  /** The nodes of each cluster of another system, and those of none. */
  public NodeSets clusters(ResourceNames names) {
    settle();
    if (clusters == null) {
      clusters = NodeSets.ofClusters(ordered, names);
    }
    return clusters;
  }

  /**
   * The placement sets that a rule makes of the nodes.
   *
   * @param apart whether nodes of several clusters that show one value are several sets
   */
  public NodeSets sets(PlacementRule rule, boolean apart, ResourceNames names) {
    settle();
    SetKey which = new SetKey(rule.keys(), rule.explicitOnly(), apart);
    NodeSets known = sets.get(which);
    if (known == null) {
      known = NodeSets.of(ordered, rule, apart, names);
      sets.put(which, known);
    }
    return known;
  }

  public FreeTree free() {
    settle();
    return free;
  }

  /** Number of nodes that may be used now. */
  public int usable() {
    settle();
    return usable;
  }

  /** True when jobs that do not ask to be alone may be together on every node. */
  public boolean shared() {
    settle();
    return shared;
  }

  /** True when a job with this sharing would have a host exclusively on some node. */
  public boolean anyHostAlone(Sharing asked) {
    settle();
    return hostAlone[asked.ordinal()];
  }

  /** What all nodes have together when nothing runs. */
  public long sumCapacity(int resource) {
    settle();
    return ResourceNames.at(sumCapacity, resource);
  }

  /** What the largest node has when nothing runs. */
  public long mostCapacity(int resource) {
    settle();
    return ResourceNames.at(mostCapacity, resource);
  }

  /** True when a node that runs nothing has room for a chunk. */
  public boolean everFits(ChunkKind kind) {
    settle();
    for (long[] capacity : sizes.keySet()) {
      if (kind.fits(capacity)) {
        return true;
      }
    }
    return false;
  }

  /** Number of chunks that fit when nothing runs. */
  public long ever(ChunkKind kind) {
    settle();
    long sum = 0;
    for (Map.Entry<long[], Integer> size : sizes.entrySet()) {
      sum += (long) size.getValue() * kind.howMany(size.getKey(), kind.count());
    }
    return sum;
  }

  void add(NodeState node) {
    nodes.put(node.name(), node);
    node.joined(this);
    stale = true;
  }

  void remove(NodeState node) {
    nodes.remove(node.name());
    stale = true;
    node.left(this);
  }

  @Override
  public void freeChanged(NodeState node) {
    if (!stale) {
      free.refresh(node, node.index());
      if (!sets.isEmpty()) {
        sets.values().forEach(it -> it.refresh(node));
      }
      if (clusters != null) {
        clusters.refresh(node);
      }
    }
  }

  private void settle() {
    if (stale) {
      stale = false;
      reorder();
    }
  }

  private void reorder() {
    ordered = nodes.values().stream().sorted(ranking.lasting()).toArray(NodeState[]::new);
    sumCapacity = new long[0];
    mostCapacity = new long[0];
    usable = 0;
    shared = true;
    mixed = false;
    clusters = null;
    Arrays.fill(hostAlone, false);
    sizes.clear();
    sets.clear();
    for (int i = 0; i < ordered.length; i++) {
      NodeState node = ordered[i];
      node.placed(i);
      usable += node.usable() ? 1 : 0;
      shared &= node.shared();
      mixed |= !node.cluster().equals(ordered[0].cluster());
      for (Sharing asked : SHARINGS) {
        hostAlone[asked.ordinal()] |= asked.on(node.sharing()) == Sharing.EXCLHOST;
      }
      count(node.capacity());
      sizes.merge(node.capacity(), 1, Integer::sum);
    }
    byHost = NodeRanking.hosts(ordered);
    free = new FreeTree(ordered);
    gains.breakOff();
  }

  private void count(long[] capacity) {
    if (capacity.length > sumCapacity.length) {
      sumCapacity = Arrays.copyOf(sumCapacity, capacity.length);
      mostCapacity = Arrays.copyOf(mostCapacity, capacity.length);
    }
    for (int resource = 0; resource < capacity.length; resource++) {
      long amount = Math.max(0, capacity[resource]);
      sumCapacity[resource] += amount;
      mostCapacity[resource] = Math.max(mostCapacity[resource], amount);
    }
  }

  public GainLog gains() {
    settle();
    return gains;
  }

  @Override
  public void gained(GainLog.Gain gain) {
    settle();
    gains.add(gain);
    for (NodeState node : gain.nodes()) {
      if (node.pool() == this && node.usable() && node.touch(gain.fromMs())) {
        touched.add(node);
      }
    }
  }

  /** True when nodes have become freer since waiting classes were woken last. */
  public boolean hasTouched() {
    return !touched.isEmpty();
  }

  /** Returns and clears the nodes that have become freer since the last call. */
  public List<NodeState> takeTouched() {
    settle();
    touched.forEach(NodeState::told);
    List<NodeState> freer = new ArrayList<>(touched.size());
    for (NodeState node : touched) {
      if (node.pool() == this && node.usable()) {
        freer.add(node);
      }
    }
    touched.clear();
    return freer;
  }
}
