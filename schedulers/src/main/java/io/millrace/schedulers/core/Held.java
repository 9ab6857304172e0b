package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.schemas.common.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that one run or proposal holds. */
final class Held {

  private final List<Take> takes;
  private final Sharing asked;

  /** Those of the takes: they are gone through at each event of a search. */
  private final NodeState[] nodes;

  Held(List<Take> takes, Sharing asked) {
    this.takes = takes;
    this.asked = asked;
    this.nodes = new NodeState[takes.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = takes.get(i).node();
    }
  }

  List<Take> takes() {
    return takes;
  }

  /** What the job asks for: who else may be there is said by its nodes, too. */
  Sharing asked() {
    return asked;
  }

  /**
   * Who may be on the node of a take beside it: nobody where the host is its own by another node,
   * for whose sake a take without chunks keeps the node free.
   */
  Sharing sharing(Take take) {
    return take.chunks() == 0 || hasHostBesides(take.node())
        ? Sharing.EXCLHOST
        : asked.on(take.node().sharing);
  }

  private boolean hasHostBesides(NodeState node) {
    if (node.host == null || node.host.nodes.size() == 1) {
      return false;
    }
    for (NodeState other : node.host.nodes) {
      if (asked.on(other.sharing) == Sharing.EXCLHOST && index(other) < nodes.length) {
        return true;
      }
    }
    return false;
  }

  /** Index of the take of a node; their number when there is none. */
  private int index(NodeState node) {
    int index = 0;
    while (index < nodes.length && nodes[index] != node) {
      index++;
    }
    return index;
  }

  /** True when nobody may be beside it on one of its nodes. */
  boolean anyAlone() {
    for (NodeState node : nodes) {
      if (asked.on(node.sharing) != Sharing.SHARED) {
        return true;
      }
    }
    return false;
  }

  /** True when nobody may be beside it on one of its hosts. */
  boolean anyHostAlone() {
    for (NodeState node : nodes) {
      if (asked.on(node.sharing) == Sharing.EXCLHOST) {
        return true;
      }
    }
    return false;
  }

  /** What is held of a node, which is one of its own. */
  Take take(NodeState node) {
    return takes.get(index(node));
  }

  int size() {
    return nodes.length;
  }

  /** Node of a take. */
  NodeState node(int index) {
    return nodes[index];
  }

  /** The same as a record. */
  List<NodeShare> shares(ResourceNames names) {
    List<NodeShare> shares = new ArrayList<>();
    for (Take take : takes) {
      Map<String, Long> amounts = new TreeMap<>();
      for (int resource = 0; resource < take.amounts().length; resource++) {
        if (take.amounts()[resource] != 0) {
          amounts.put(names.name(resource), take.amounts()[resource]);
        }
      }
      NodeState node = take.node();
      // A node that is lost is known no more, yet what was promised of it may be asked for.
      String host = node.host == null ? "" : node.host.name;
      shares.add(new NodeShare(node.name, host, take.chunks(), amounts));
    }
    return shares;
  }

  /** True when at least as much of a node is held. */
  boolean covers(Take take) {
    for (Take it : takes) {
      if (it.node() == take.node()) {
        for (int resource = 0; resource < take.amounts().length; resource++) {
          if (ResourceNames.at(it.amounts(), resource) < take.amounts()[resource]) {
            return false;
          }
        }
        return true;
      }
    }
    return false;
  }

  boolean sameTakes(Held other) {
    if (asked != other.asked || takes.size() != other.takes.size()) {
      return false;
    }
    for (int i = 0; i < takes.size(); i++) {
      Take a = takes.get(i);
      Take b = other.takes.get(i);
      if (a.node() != b.node() || !sameAmounts(a.amounts(), b.amounts())) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameAmounts(long[] a, long[] b) {
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      if (ResourceNames.at(a, i) != ResourceNames.at(b, i)) {
        return false;
      }
    }
    return true;
  }
}
