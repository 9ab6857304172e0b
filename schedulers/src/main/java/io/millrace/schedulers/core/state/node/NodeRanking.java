package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.NodeOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts nodes into the order that a scheduler prefers.
 *
 * <p>An order that depends only on static attributes is the order of the pool itself. An order that
 * depends on what runs is computed for each job that is tried, from the nodes that may have room;
 * promises, which look at other times, then use the order by name.
 */
public final class NodeRanking {

  private static final Comparator<NodeState> NAME = Comparator.comparing(it -> it.name());

  static final NodeRanking BY_NAME = new NodeRanking(NodeOrder.BY_NAME, new ResourceNames());

  private final NodeOrder order;
  private final Comparator<NodeState> comparator;

  /** True when the order depends on what runs, which is asked for each job that is tried. */
  private final boolean changesWithRuns;

  NodeRanking(NodeOrder order, ResourceNames names) {
    this.order = order;
    this.changesWithRuns = order.changesWithRuns();
    Comparator<NodeState> all = null;
    for (NodeOrder.Key key : order.keys()) {
      Comparator<NodeState> one = comparator(key, names);
      all = all == null ? one : all.thenComparing(one);
    }
    this.comparator = all == null ? NAME : all.thenComparing(NAME);
  }

  NodeOrder order() {
    return order;
  }

  /**
   * True when nodes are not taken in the order of the pool, because the order depends on what runs.
   */
  public boolean changesWithRuns() {
    return changesWithRuns;
  }

  /** The order by static attributes. */
  Comparator<NodeState> lasting() {
    return changesWithRuns() ? NAME : comparator;
  }

  /** Sorts nodes, best first, by what runs now. */
  public void sort(List<NodeState> nodes) {
    nodes.sort(comparator);
  }

  public NodeState[] sorted(NodeState[] nodes) {
    NodeState[] copy = nodes.clone();
    Arrays.sort(copy, comparator);
    return copy;
  }

  /** The nodes of each host, the host with the best node first. */
  public NodeState[][] sortedHosts(NodeState[] nodes) {
    return hosts(sorted(nodes));
  }

  /** The nodes of each host, hosts and nodes in the order of the nodes. */
  public static NodeState[][] hosts(NodeState[] ordered) {
    Map<Object, List<NodeState>> hosts = new LinkedHashMap<>();
    for (NodeState node : ordered) {
      Object host = node.host() == null ? node : node.host();
      hosts.computeIfAbsent(host, it -> new ArrayList<>()).add(node);
    }
    return hosts.values().stream()
        .map(it -> it.toArray(NodeState[]::new))
        .toArray(NodeState[][]::new);
  }

  private static Comparator<NodeState> comparator(NodeOrder.Key key, ResourceNames names) {
    Comparator<NodeState> least;
    if (key.resource().equals(NodeOrder.PRIORITY)) {
      least = Comparator.comparingLong(it -> it.priority());
    } else {
      int resource = names.number(key.resource());
      least =
          switch (key.part()) {
            case TOTAL -> Comparator.comparingLong(it -> ResourceNames.at(it.capacity(), resource));
            case ASSIGNED -> Comparator.comparingLong(it -> ResourceNames.at(it.used(), resource));
            case UNUSED -> Comparator.comparingLong(it -> ResourceNames.at(it.free(), resource));
          };
    }
    return key.high() ? least.reversed() : least;
  }
}
