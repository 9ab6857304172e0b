package io.millrace.schedulers.core.state.node;

import java.util.Arrays;
import java.util.Comparator;

/** Hosts that are used one after another, in the order of their names. */
public final class HostTurn {

  private static final Comparator<NodeState> BY_HOST =
      Comparator.comparing((NodeState it) -> it.host() == null ? it.name() : it.host().name());

  /** The node that was used last; null before the first. */
  private String last;

  /** A job has got a node. */
  public void used(NodeState node) {
    last = node.name();
  }

  /**
   * The nodes from the host behind the one that was used last.
   *
   * @param ordered nodes in the order of the pool; the first of them counts as used before any was
   */
  NodeState[] from(NodeState[] ordered) {
    if (ordered.length == 0) {
      return ordered;
    }
    if (last == null) {
      last = ordered[0].name();
    }
    NodeState[] ring = ordered.clone();
    Arrays.sort(ring, BY_HOST);
    int at = 0;
    while (at < ring.length && !ring[at].name().equals(last)) {
      at++;
    }
    int first = at;
    while (at < ring.length && BY_HOST.compare(ring[at], ring[first]) == 0) {
      at++;
    }
    NodeState[] turned = new NodeState[ring.length];
    System.arraycopy(ring, at, turned, 0, ring.length - at);
    System.arraycopy(ring, 0, turned, ring.length - at, at);
    return turned;
  }
}
