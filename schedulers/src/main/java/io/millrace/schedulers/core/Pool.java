package io.millrace.schedulers.core;

import io.millrace.schedulers.core.Shortage.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The nodes of one partition of this scheduler, and the classes that wait for them. */
final class Pool {

  /** Entries of the log of touched nodes that are kept; a power of two. */
  private static final int LOG = 256;

  final String partition;

  /** All nodes that are defined, usable or not, by name: the stable order of first fit. */
  private final TreeMap<String, NodeState> nodes = new TreeMap<>();

  /** True when nodes were added, removed or changed since what follows was computed. */
  private boolean stale;

  private NodeState[] ordered = {};
  private NodeState[][] byHost = {};
  private FreeTree free = new FreeTree(ordered);
  private long[] sumCapacity = {};
  private long[] mostCapacity = {};
  private int usable;
  private final Map<Integer, WatchSet> nodeWatches = new HashMap<>();
  private final Map<Integer, WatchSet> totalWatches = new HashMap<>();
  private final NodeState[] log = new NodeState[LOG];
  private long logEnd = LOG;

  Pool(String partition) {
    this.partition = partition;
  }

  NodeState[] nodes() {
    settle();
    return ordered;
  }

  /** The nodes of each host, hosts in the order of their first nodes. */
  NodeState[][] hosts() {
    settle();
    return byHost;
  }

  FreeTree free() {
    settle();
    return free;
  }

  /** Number of nodes that may be used now. */
  int usable() {
    settle();
    return usable;
  }

  /** What all nodes have together when nothing runs. */
  long sumCapacity(int resource) {
    settle();
    return ResourceNames.at(sumCapacity, resource);
  }

  /** What the largest node has when nothing runs. */
  long mostCapacity(int resource) {
    settle();
    return ResourceNames.at(mostCapacity, resource);
  }

  void add(NodeState node) {
    nodes.put(node.name, node);
    node.pool = this;
    stale = true;
  }

  void remove(NodeState node) {
    nodes.remove(node.name);
    stale = true;
    if (node.pool == this) {
      node.pool = null;
    }
  }

  /** So much else is free on the node than before. */
  void refresh(NodeState node) {
    if (!stale) {
      free.refresh(node);
    }
  }

  private void settle() {
    if (stale) {
      stale = false;
      reorder();
    }
  }

  private void reorder() {
    ordered = nodes.values().toArray(NodeState[]::new);
    Map<Object, List<NodeState>> hosts = new LinkedHashMap<>();
    sumCapacity = new long[0];
    mostCapacity = new long[0];
    usable = 0;
    for (int i = 0; i < ordered.length; i++) {
      NodeState node = ordered[i];
      node.index = i;
      usable += node.usable ? 1 : 0;
      count(node.capacity);
      Object host = node.host == null ? node : node.host;
      hosts.computeIfAbsent(host, it -> new ArrayList<>()).add(node);
    }
    byHost =
        hosts.values().stream().map(it -> it.toArray(NodeState[]::new)).toArray(NodeState[][]::new);
    free = new FreeTree(ordered);
    logEnd += LOG;
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

  void watch(ClassState blocked, Watch watch) {
    Map<Integer, WatchSet> sets =
        switch (watch.level()) {
          case NODE -> nodeWatches;
          case TOTAL -> totalWatches;
          case CHANGE -> null;
        };
    if (sets != null) {
      sets.computeIfAbsent(watch.resource(), it -> new WatchSet()).add(blocked, watch.amount());
    }
  }

  /**
   * The node has more free than before, now or in a later window: notes it, and tells of the
   * classes for which that may be enough.
   */
  void touched(NodeState node, Consumer<ClassState> woken) {
    settle();
    log[(int) (logEnd++ & (LOG - 1))] = node;
    nodeWatches.forEach((resource, set) -> set.take(ResourceNames.at(node.free, resource), woken));
    totalWatches.forEach((resource, set) -> set.take(free.sum(resource), woken));
  }

  /** Position up to which nodes were touched so far. */
  long logEnd() {
    settle();
    return logEnd;
  }

  /** True when the log still holds all that was touched since a position. */
  boolean logReaches(long position) {
    return position >= 0 && logEnd - position <= LOG;
  }

  NodeState logged(long position) {
    return log[(int) (position & (LOG - 1))];
  }
}
