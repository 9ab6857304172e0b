package io.millrace.schedulers.core.state.node;

import io.millrace.schemas.HostName;
import java.util.ArrayList;
import java.util.List;

/** A host, which may have several nodes. */
public final class HostState {

  private final String name;
  private final String cluster;
  private final List<NodeState> nodes = new ArrayList<>(1);
  private int holders;
  private int exclusive;

  HostState(String name) {
    this.name = name;
    this.cluster = HostName.cluster(name);
  }

  String name() {
    return name;
  }

  /** The cluster of another system of which it is; empty for one of none. */
  String cluster() {
    return cluster;
  }

  /** Nodes of the host; callers must not change the list. */
  public List<NodeState> nodes() {
    return nodes;
  }

  /** Runs and proposals on any node of the host. */
  public int holders() {
    return holders;
  }

  /** Runs and proposals on the host that have it exclusively. */
  public int exclusive() {
    return exclusive;
  }

  /** Adds a node and what runs on it to the host. */
  void joined(NodeState node) {
    nodes.add(node);
    tellNodes();
    occupied(node.holders(), node.hostExclusive());
  }

  /** Removes a node and what runs on it from the host. */
  void left(NodeState node) {
    nodes.remove(node);
    tellNodes();
    occupied(-node.holders(), -node.hostExclusive());
  }

  private void tellNodes() {
    boolean alone = nodes.size() == 1;
    nodes.forEach(it -> it.aloneOnHost(alone));
  }

  /** Adds runs and proposals on a node, and how many of them have the host exclusively. */
  void occupied(int more, int moreExclusive) {
    holders += more;
    exclusive += moreExclusive;
  }
}
