package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import java.util.Arrays;
import java.util.List;

/** A placement set: nodes that show the same value of a resource, in the order of their pool. */
public final class NodeSet {

  private final String name;
  private final int number;
  private final NodeState[] nodes;
  private final NodeState[][] hosts;
  private final FreeTree free;
  private long[] capacity = {};

  /** What it was sorted by last, and where it stands. */
  private long freeCpus;

  private long freeMemory;
  private int place;

  NodeSet(String name, int number, List<NodeState> members) {
    this.name = name;
    this.number = number;
    this.nodes = members.toArray(NodeState[]::new);
    this.hosts = NodeRanking.hosts(nodes);
    this.free = new FreeTree(nodes);
    for (NodeState node : nodes) {
      long[] here = node.capacity();
      if (here.length > capacity.length) {
        capacity = Arrays.copyOf(capacity, here.length);
      }
      for (int resource = 0; resource < here.length; resource++) {
        capacity[resource] += Math.max(0, here[resource]);
      }
    }
  }

  /** Name in PBS's form: {@code resource=value}. */
  public String name() {
    return name;
  }

  /** Number of the set among those of the same keys. */
  public int number() {
    return number;
  }

  /** Its nodes; not to be changed. */
  public NodeState[] nodes() {
    return nodes;
  }

  /** Its nodes by host. */
  public NodeState[][] hosts() {
    return hosts;
  }

  /** What is free on its nodes now. */
  public FreeTree free() {
    return free;
  }

  /** What all its nodes have together when nothing runs. */
  public long capacity(int resource) {
    return ResourceNames.at(capacity, resource);
  }

  /** True when the sums alone show that less is free now than the job needs. */
  public boolean isShort(RequestShape shape) {
    for (int i = 0; i < shape.totals(); i++) {
      if (shape.totalAmount(i) > free.sum(shape.totalResource(i))) {
        return true;
      }
    }
    return false;
  }

  /** True when the sums alone show that the job would not fit if nothing ran. */
  public boolean isTooSmall(RequestShape shape) {
    for (int i = 0; i < shape.totals(); i++) {
      if (shape.totalAmount(i) > capacity(shape.totalResource(i))) {
        return true;
      }
    }
    Arrangement arrangement = shape.placement().arrangement();
    boolean apart = arrangement == Arrangement.SCATTER || arrangement == Arrangement.VSCATTER;
    return apart && shape.chunks() > nodes.length;
  }

  long freeCpus() {
    return freeCpus;
  }

  long freeMemory() {
    return freeMemory;
  }

  /** Takes over what is free now, which it is sorted by from now on. */
  void measure(int cpus, int memory) {
    freeCpus = free.sum(cpus);
    freeMemory = free.sum(memory);
  }

  int place() {
    return place;
  }

  void placed(int now) {
    place = now;
  }
}
