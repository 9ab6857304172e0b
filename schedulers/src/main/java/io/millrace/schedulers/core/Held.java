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
  private final Sharing sharing;

  /** Those of the takes: they are gone through at each event of a search. */
  private final NodeState[] nodes;

  Held(List<Take> takes, Sharing sharing) {
    this.takes = takes;
    this.sharing = sharing;
    this.nodes = new NodeState[takes.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = takes.get(i).node();
    }
  }

  List<Take> takes() {
    return takes;
  }

  Sharing sharing() {
    return sharing;
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
    if (sharing != other.sharing || takes.size() != other.takes.size()) {
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
