package io.millrace.schedulers.core;

import io.millrace.schedulers.core.Shortage.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes of one partition of this scheduler, and the classes that wait for them. */
final class Pool {

  final String partition;

  /** All nodes that are defined, usable or not, by name: the stable order of first fit. */
  private final TreeMap<String, NodeState> nodes = new TreeMap<>();

  private NodeState[] ordered = {};
  private NodeState[][] byHost = {};
  private long[] totalFree = {};
  private final Map<Integer, WatchSet> nodeWatches = new HashMap<>();
  private final Map<Integer, WatchSet> totalWatches = new HashMap<>();

  Pool(String partition) {
    this.partition = partition;
  }

  NodeState[] nodes() {
    return ordered;
  }

  /** The nodes of each host, hosts in the order of their first nodes. */
  NodeState[][] hosts() {
    return byHost;
  }

  void add(NodeState node) {
    nodes.put(node.name, node);
    order();
  }

  void remove(NodeState node) {
    nodes.remove(node.name);
    order();
  }

  private void order() {
    ordered = nodes.values().toArray(NodeState[]::new);
    Map<Object, List<NodeState>> hosts = new LinkedHashMap<>();
    for (NodeState node : ordered) {
      hosts
          .computeIfAbsent(node.host == null ? node : node.host, it -> new ArrayList<>())
          .add(node);
    }
    byHost =
        hosts.values().stream().map(it -> it.toArray(NodeState[]::new)).toArray(NodeState[][]::new);
  }

  /** Sums again what is free on usable nodes; after a node was added, removed or changed. */
  void sum() {
    totalFree = new long[0];
    for (NodeState node : ordered) {
      if (node.usable) {
        for (int resource = 0; resource < node.free.length; resource++) {
          adjust(resource, node.free[resource]);
        }
      }
    }
  }

  /** Notes that a usable node has so much more (or less) free. */
  void adjust(int resource, long difference) {
    if (resource >= totalFree.length) {
      totalFree = Arrays.copyOf(totalFree, resource + 1);
    }
    totalFree[resource] += difference;
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

  /** Takes out the classes for which the node, which has more free than before, may be enough. */
  List<ClassState> grown(NodeState node) {
    List<ClassState> woken = new ArrayList<>();
    nodeWatches.forEach(
        (resource, set) -> woken.addAll(set.take(ResourceNames.at(node.free, resource))));
    totalWatches.forEach(
        (resource, set) -> woken.addAll(set.take(ResourceNames.at(totalFree, resource))));
    return woken;
  }
}
