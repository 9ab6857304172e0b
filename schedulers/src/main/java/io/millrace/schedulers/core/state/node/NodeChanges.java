package io.millrace.schedulers.core.state.node;

import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What facts about nodes at run time (up, down, hand-over) change in the scheduler's state. */
public final class NodeChanges {

  private final NodeTable nodes;
  private final AllocationBook holdings;
  private final int shard;

  /**
   * @param shard number of the shard whose facts are followed
   */
  public NodeChanges(NodeTable nodes, AllocationBook holdings, int shard) {
    this.nodes = nodes;
    this.holdings = holdings;
    this.shard = shard;
  }

  public void node(Node node) {
    nodes.node(node.getName(), node);
    NodeState state = nodes.get(node.getName());
    // A run may hold a node several times: once for each chunk that was placed there by qrun -H.
    Map<Long, Holding> byJob = new LinkedHashMap<>();
    node.getHoldings().forEach(one -> byJob.merge(one.getNumber(), one, NodeChanges::together));
    byJob.values().forEach(holding -> holdings.listed(state, holding));
  }

  private static Holding together(Holding one, Holding other) {
    Map<String, Long> amounts = new HashMap<>(one.getAmounts());
    NodeAmounts.add(amounts, other.getAmounts());
    return Holding.newBuilder(one)
        .setAmounts(amounts)
        .setChunks(one.getChunks() + other.getChunks())
        .build();
  }

  public void up(String name, String host, Map<String, Long> measured) {
    nodes.up(name, host, measured);
  }

  public void down(String name) {
    NodeState known = nodes.get(name);
    if (known != null && known.node() != null) {
      nodes.node(name, Node.newBuilder(known.node()).setUp(false).build());
    }
  }

  public void offered(String name, int to) {
    NodeState known = nodes.get(name);
    if (known != null && known.node() != null) {
      nodes.node(name, Node.newBuilder(known.node()).setOfferedTo(to).build());
    }
  }

  public void closing(String name) {
    offered(name, shard);
  }

  /** Reopens a node: the change that it was closed for has arrived. */
  public void reopen(String name) {
    NodeState known = nodes.get(name);
    if (known != null && known.node() != null && known.node().getOfferedTo() == shard) {
      offered(name, -1);
    }
  }

  public void gone(String name) {
    nodes.node(name, null);
  }
}
