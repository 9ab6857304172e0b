package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that one run or proposal holds. */
public final class JobAllocation {

  private final List<NodeAllocation> takes;
  private final Sharing asked;

  /** Nodes of the takes, as an array of their own, since each event of a search walks them. */
  private final NodeState[] nodes;

  public JobAllocation(List<NodeAllocation> takes, Sharing asked) {
    this.takes = takes;
    this.asked = asked;
    this.nodes = new NodeState[takes.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = takes.get(i).node();
    }
  }

  public List<NodeAllocation> takes() {
    return takes;
  }

  /** Sharing that the job asks for; the nodes' own {@code sharing} attributes decide with it. */
  public Sharing asked() {
    return asked;
  }

  /**
   * How the job shares the node of a take. Exclusive with the host when a take without chunks keeps
   * the node free because the job has the host exclusively through another node.
   */
  public Sharing sharing(NodeAllocation take) {
    return take.chunks() == 0 || hasHostBesides(take.node())
        ? Sharing.EXCLHOST
        : asked.on(take.node().sharing());
  }

  /** How the job shares a node that is given by its number. */
  public Sharing sharingOn(int nodeId) {
    int index = 0;
    while (nodes[index].id() != nodeId) {
      index++;
    }
    return sharing(takes.get(index));
  }

  private boolean hasHostBesides(NodeState node) {
    if (node.aloneOnHost()) {
      return false;
    }
    List<NodeState> beside = node.host().nodes();
    if (beside.size() < nodes.length) {
      for (NodeState other : beside) {
        if (asked.on(other.sharing()) == Sharing.EXCLHOST && index(other) < nodes.length) {
          return true;
        }
      }
      return false;
    }
    for (NodeState other : nodes) {
      if (other.host() == node.host() && asked.on(other.sharing()) == Sharing.EXCLHOST) {
        return true;
      }
    }
    return false;
  }

  /** Index of the take of a node; the number of takes when there is none. */
  private int index(NodeState node) {
    int index = 0;
    while (index < nodes.length && nodes[index] != node) {
      index++;
    }
    return index;
  }

  /** True when the job has any of its nodes exclusively. */
  public boolean anyAlone() {
    for (NodeState node : nodes) {
      if (asked.on(node.sharing()) != Sharing.SHARED) {
        return true;
      }
    }
    return false;
  }

  /** True when the job has any of its hosts exclusively. */
  public boolean anyHostAlone() {
    for (NodeState node : nodes) {
      if (asked.on(node.sharing()) == Sharing.EXCLHOST) {
        return true;
      }
    }
    return false;
  }

  /** Number of chunks on all nodes together. */
  int chunks() {
    int sum = 0;
    for (int i = 0; i < takes.size(); i++) {
      sum += takes.get(i).chunks();
    }
    return sum;
  }

  public int size() {
    return nodes.length;
  }

  /** Node of a take. */
  public NodeState node(int index) {
    return nodes[index];
  }

  /** The allocation as node shares for a record. */
  public List<NodeShare> shares(ResourceNames names) {
    List<NodeShare> shares = new ArrayList<>();
    for (NodeAllocation take : takes) {
      Map<String, Long> amounts = new TreeMap<>();
      for (int resource = 0; resource < take.amounts().length; resource++) {
        if (take.amounts()[resource] != 0) {
          amounts.put(names.name(resource), take.amounts()[resource]);
        }
      }
      NodeState node = take.node();
      // A node that was removed is no longer known, but a promise on it may still be reported.
      String host = node.host() == null ? "" : node.host().name();
      shares.add(new NodeShare(node.name(), host, take.chunks(), amounts));
    }
    return shares;
  }

  /** True when the allocation holds at least as much of the node as the take. */
  boolean covers(NodeAllocation take) {
    for (NodeAllocation it : takes) {
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

  public boolean sameTakes(JobAllocation other) {
    if (asked != other.asked || takes.size() != other.takes.size()) {
      return false;
    }
    for (int i = 0; i < takes.size(); i++) {
      NodeAllocation a = takes.get(i);
      NodeAllocation b = other.takes.get(i);
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
