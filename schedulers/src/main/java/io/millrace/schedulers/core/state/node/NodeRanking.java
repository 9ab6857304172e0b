package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.NodeOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sorts nodes into the order that a scheduler prefers.
 *
 * <p>An order that depends only on static attributes is the order of the pool itself. An order that
 * depends on what runs is computed for each job that is tried, from the nodes that may have room;
 * promises, which look at other times, then use the order by name.
 */
public final class NodeRanking {

  private static final Comparator<NodeState> NAME = Comparator.comparing(it -> it.name());

  /** Older nodes first, or where the order depends on what runs, as the cycle found them. */
  private static final Comparator<NodeState> TURN =
      Comparator.<NodeState>comparingInt(NodeState::turn)
          .thenComparingLong(NodeState::created)
          .thenComparing(NAME);

  static final NodeRanking BY_NAME =
      new NodeRanking(NodeOrder.BY_NAME, new ResourceNames(), new HostTurn());

  private final NodeOrder order;
  private final Comparator<NodeState> comparator;

  /** Decides between equal nodes. */
  private final Comparator<NodeState> last;

  /** True when the order depends on what runs, which is asked for each job that is tried. */
  private final boolean changesWithRuns;

  private final HostTurn turn;

  /**
   * @param turn knows which host was used last, whatever the order
   */
  NodeRanking(NodeOrder order, ResourceNames names, HostTurn turn) {
    this.order = order;
    this.turn = turn;
    this.changesWithRuns = order.changesWithRuns();
    Comparator<NodeState> all = null;
    for (NodeOrder.NodeOrderKey key : order.keys()) {
      Comparator<NodeState> one = comparator(key, names);
      all = all == null ? one : all.thenComparing(one);
    }
    this.last = order.byCreation() ? TURN : NAME;
    this.comparator = all == null ? last : all.thenComparing(last);
  }

  /**
   * Begins a cycle: nodes that become equal in the course of it stay as they stand now.
   *
   * @param nodes of a pool
   */
  public void beginCycle(NodeState[] nodes) {
    for (NodeState node : nodes) {
      node.turn(0);
    }
    NodeState[] sorted = sorted(nodes);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i].turn(i);
    }
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

  /** True when hosts are used one after another. */
  public boolean inTurn() {
    return order.inTurn();
  }

  /** The nodes of a pool from the host on whose turn it is. */
  public NodeState[] fromTurn(NodeState[] nodes) {
    return turn.from(nodes);
  }

  /** A job starts on nodes. */
  public void used(JobAllocation held) {
    if (order.inTurn() && !held.takes().isEmpty()) {
      turn.used(held.takes().get(held.takes().size() - 1).node());
    }
  }

  /** The order by static attributes. */
  Comparator<NodeState> lasting() {
    return changesWithRuns() ? last : comparator;
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
    return grouped(ordered, node -> node.host() == null ? node : node.host());
  }

  /**
   * The nodes of each cluster of another system, and those of none, in the order of the first of
   * them.
   */
  public static NodeState[][] clusters(NodeState[] ordered) {
    return grouped(ordered, NodeState::cluster);
  }

  private static NodeState[][] grouped(NodeState[] ordered, Function<NodeState, Object> by) {
    Map<Object, List<NodeState>> groups = new LinkedHashMap<>();
    for (NodeState node : ordered) {
      groups.computeIfAbsent(by.apply(node), it -> new ArrayList<>()).add(node);
    }
    return groups.values().stream()
        .map(it -> it.toArray(NodeState[]::new))
        .toArray(NodeState[][]::new);
  }

  /** What the node's object says of its last use, as in a recorded session; else its last end. */
  private static long lastUsed(NodeState node) {
    return node.object() == null
        ? node.lastUse()
        : ObjectAttributes.signed(node.object(), NodeOrder.LAST_USED, node.lastUse());
  }

  /** What a node has of a resource, also of one that no run takes away. */
  private static long total(NodeState node, int resource, String name) {
    long amount = ResourceNames.at(node.capacity(), resource);
    String shown = amount == 0 ? node.properties().get(name) : null;
    return shown != null && shown.matches("\\d{1,18}") ? Long.parseLong(shown) : amount;
  }

  private static Comparator<NodeState> comparator(NodeOrder.NodeOrderKey key, ResourceNames names) {
    Comparator<NodeState> least;
    if (key.resource().equals(NodeOrder.PRIORITY)) {
      least = Comparator.comparingLong(it -> it.priority());
    } else if (key.resource().equals(NodeOrder.LAST_USED)) {
      least = Comparator.comparingLong(NodeRanking::lastUsed);
    } else if (key.resource().equals(NodeOrder.NAME)) {
      least = NAME;
    } else if (key.resource().equals(NodeOrder.LOAD)) {
      least = Comparator.comparingLong(NodeState::load);
    } else if (key.resource().equals(NodeOrder.IDLE)) {
      least = Comparator.comparingLong(NodeState::idleness);
    } else {
      int resource = names.number(key.resource());
      least =
          switch (key.part()) {
            case TOTAL -> Comparator.comparingLong(it -> total(it, resource, key.resource()));
            case ASSIGNED -> Comparator.comparingLong(it -> ResourceNames.at(it.used(), resource));
            case UNUSED -> Comparator.comparingLong(it -> ResourceNames.at(it.free(), resource));
          };
    }
    return key.high() ? least.reversed() : least;
  }
}
