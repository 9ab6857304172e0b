package io.millrace.schedulers.core;

import io.millrace.schemas.state.Node;
import java.util.Map;

/** What the facts about the run-time side of nodes mean for a state. */
final class NodeFacts {

  private final NodeTable nodes;
  private final HoldingBook holdings;
  private final int shard;

  /**
   * @param shard number of the shard whose facts are followed
   */
  NodeFacts(NodeTable nodes, HoldingBook holdings, int shard) {
    this.nodes = nodes;
    this.holdings = holdings;
    this.shard = shard;
  }

  void node(Node node) {
    nodes.node(node.getName(), node);
    NodeState state = nodes.get(node.getName());
    node.getHoldings().forEach(holding -> holdings.listed(state, holding));
  }

  void up(String name, String host, Map<String, Long> measured) {
    nodes.up(name, host, measured);
  }

  void down(String name) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null) {
      nodes.node(name, Node.newBuilder(known.node).setUp(false).build());
    }
  }

  void offered(String name, int to) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null) {
      nodes.node(name, Node.newBuilder(known.node).setOfferedTo(to).build());
    }
  }

  void closing(String name) {
    offered(name, shard);
  }

  /** What a node may have been closed for has come. */
  void reopen(String name) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null && known.node.getOfferedTo() == shard) {
      offered(name, -1);
    }
  }

  void gone(String name) {
    nodes.node(name, null);
  }
}
