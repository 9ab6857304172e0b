package io.millrace.schedulers.core.state.node;

import java.util.ArrayList;
import java.util.List;

/** A host, which may have several nodes. */
public final class HostState {

  private final String name;
  private final List<NodeState> nodes = new ArrayList<>(1);
  private int holders;
  private int exclusive;

  HostState(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Its nodes; not to be changed by others. */
  public List<NodeState> nodes() {
    return nodes;
  }

  /** True when the host has one node. */
  boolean single() {
    return nodes.size() == 1;
  }

  /** Runs and proposals on any node of the host. */
  public int holders() {
    return holders;
  }

  /** Those of them that want the host for themselves. */
  public int exclusive() {
    return exclusive;
  }

  /** A node has come, with what runs on it. */
  void joined(NodeState node) {
    nodes.add(node);
    occupied(node.holders(), node.hostExclusive());
  }

  /** A node has gone, with what runs on it. */
  void left(NodeState node) {
    nodes.remove(node);
    occupied(-node.holders(), -node.hostExclusive());
  }

  /** More runs and proposals than before are on a node, and of them more want the host. */
  void occupied(int more, int moreExclusive) {
    holders += more;
    exclusive += moreExclusive;
  }
}
