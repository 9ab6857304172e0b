package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;

/**
 * The placement sets of a pool that some keys make, smallest first as in PBS: by the processors,
 * then the memory, that a set has; among equal ones by what is free of them now.
 *
 * <p>Simple semantics: the sets are made from the values of all nodes and sorted whenever they are
 * looked at. The optimisation: they are made once for the nodes as they are, and a set moves to its
 * new place when more or less is free on one of its nodes.
 */
public final class NodeSets {

  /** Requests of which it is known whether they fit into a set; beyond that they are forgotten. */
  private static final int KNOWN_MAX = 4096;

  private static final int[] NONE = {};

  private final NodeState[] nodes;
  private final int cpus;
  private final int memory;
  private final NodeSet[] sets;
  private final NodeSet[] sorted;

  /** Numbers of the sets of each node, and its index in each of them; by index of the node. */
  private final int[][] setsOf;

  private final int[][] indexIn;
  private final Map<RequestShape, Boolean> everFit = new IdentityHashMap<>();

  /** What makes a set: its name, and the cluster of its nodes where that is told apart. */
  private record Member(String set, String cluster) {}

  /**
   * The sets that a rule makes.
   *
   * @param apart whether nodes of several clusters that show one value are several sets
   */
  static NodeSets of(NodeState[] nodes, PlacementRule rule, boolean apart, ResourceNames names) {
    Map<Member, List<NodeState>> members = new LinkedHashMap<>();
    for (String key : rule.keys()) {
      for (NodeState node : nodes) {
        for (String name : rule.sets(key, node.properties())) {
          Member which = new Member(name, apart ? node.cluster() : "");
          members.computeIfAbsent(which, it -> new ArrayList<>()).add(node);
        }
      }
    }
    return new NodeSets(nodes, members, names);
  }

  /** The nodes of each cluster of another system, and those of none. */
  static NodeSets ofClusters(NodeState[] nodes, ResourceNames names) {
    Map<Member, List<NodeState>> members = new LinkedHashMap<>();
    for (NodeState node : nodes) {
      Member which = new Member(node.cluster(), "");
      members.computeIfAbsent(which, it -> new ArrayList<>()).add(node);
    }
    return new NodeSets(nodes, members, names);
  }

  private NodeSets(NodeState[] nodes, Map<Member, List<NodeState>> members, ResourceNames names) {
    this.nodes = nodes;
    cpus = names.number("ncpus");
    memory = names.number("mem");
    setsOf = new int[nodes.length][0];
    indexIn = new int[nodes.length][0];
    sets = new NodeSet[members.size()];
    int number = 0;
    for (Map.Entry<Member, List<NodeState>> each : members.entrySet()) {
      NodeSet set = new NodeSet(each.getKey().set(), number, each.getValue());
      set.measure(cpus, memory);
      for (int i = 0; i < set.nodes().length; i++) {
        int node = set.nodes()[i].index();
        setsOf[node] = with(setsOf[node], number);
        indexIn[node] = with(indexIn[node], i);
      }
      sets[number++] = set;
    }
    sorted = sets.clone();
    Arrays.sort(sorted, this::compare);
    for (int i = 0; i < sorted.length; i++) {
      sorted[i].placed(i);
    }
  }

  private static int[] with(int[] numbers, int one) {
    int[] more = Arrays.copyOf(numbers, numbers.length + 1);
    more[numbers.length] = one;
    return more;
  }

  private int compareTotals(NodeSet a, NodeSet b) {
    int byCpus = Long.compare(a.capacity(cpus), b.capacity(cpus));
    return byCpus != 0 ? byCpus : Long.compare(a.capacity(memory), b.capacity(memory));
  }

  private int compare(NodeSet a, NodeSet b) {
    int order = compareTotals(a, b);
    order = order != 0 ? order : Long.compare(a.freeCpus(), b.freeCpus());
    order = order != 0 ? order : Long.compare(a.freeMemory(), b.freeMemory());
    return order != 0 ? order : Integer.compare(a.number(), b.number());
  }

  /** More or less is free on a node than before. */
  void refresh(NodeState node) {
    int[] numbers = setsOf[node.index()];
    for (int i = 0; i < numbers.length; i++) {
      NodeSet set = sets[numbers[i]];
      set.free().refresh(node, indexIn[node.index()][i]);
      set.measure(cpus, memory);
      move(set);
    }
  }

  /** Moves a set to its place; all others are in their order. */
  private void move(NodeSet set) {
    int at = set.place();
    while (at > 0 && compare(set, sorted[at - 1]) < 0) {
      put(sorted[at - 1], at);
      at--;
    }
    while (at < sorted.length - 1 && compare(sorted[at + 1], set) < 0) {
      put(sorted[at + 1], at);
      at++;
    }
    put(set, at);
  }

  private void put(NodeSet set, int at) {
    sorted[at] = set;
    set.placed(at);
  }

  /** All sets, in the order in which they are tried now; not to be changed. */
  public NodeSet[] inOrder() {
    return sorted;
  }

  /**
   * All sets in the order in which they are tried at another time.
   *
   * @param free what is free on a node then, of the resource of this number
   */
  public NodeSet[] inOrder(ToLongBiFunction<NodeState, Integer> free) {
    boolean equals = false;
    for (int i = 1; i < sorted.length && !equals; i++) {
      equals = compareTotals(sorted[i - 1], sorted[i]) == 0;
    }
    if (!equals) {
      return sorted;
    }
    long[] cpusThen = new long[sets.length];
    long[] memoryThen = new long[sets.length];
    for (NodeSet set : sets) {
      for (NodeState node : set.nodes()) {
        cpusThen[set.number()] += Math.max(0, free.applyAsLong(node, cpus));
        memoryThen[set.number()] += Math.max(0, free.applyAsLong(node, memory));
      }
    }
    NodeSet[] then = sets.clone();
    Comparator<NodeSet> order = this::compareTotals;
    Arrays.sort(
        then,
        order
            .thenComparingLong(it -> cpusThen[it.number()])
            .thenComparingLong(it -> memoryThen[it.number()]));
    return then;
  }

  /** All sets, in the order of their first nodes in the pool; not to be changed. */
  public NodeSet[] byFirstNode() {
    return sets;
  }

  /** Number of sets. */
  public int size() {
    return sets.length;
  }

  /** Numbers of the sets that a node is in, none for a node of another pool; not to be changed. */
  public int[] of(NodeState node) {
    int index = node.index();
    return index < nodes.length && nodes[index] == node ? setsOf[index] : NONE;
  }

  /** True when all nodes on which chunks lie are in one set. */
  public boolean inOne(JobAllocation held) {
    BitSet common = null;
    for (NodeAllocation take : held.takes()) {
      if (take.chunks() == 0) {
        continue;
      }
      BitSet here = new BitSet();
      for (int number : of(take.node())) {
        here.set(number);
      }
      if (common == null) {
        common = here;
      } else {
        common.and(here);
      }
    }
    return common == null || !common.isEmpty();
  }

  /** Whether a request fits into a set when nothing runs; null while nobody has found out. */
  public Boolean everFits(RequestShape shape) {
    return everFit.get(shape);
  }

  /** Keeps what was found out about a request. */
  public void everFits(RequestShape shape, boolean fits) {
    if (everFit.size() >= KNOWN_MAX) {
      everFit.clear();
    }
    everFit.put(shape, fits);
  }
}
