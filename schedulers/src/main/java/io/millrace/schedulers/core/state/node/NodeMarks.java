package io.millrace.schedulers.core.state.node;

import java.util.Arrays;

/** Set of nodes in insertion order that can be cleared in constant time. */
public final class NodeMarks {

  private int[] marks = {};
  private int[] indices = {};
  private int mark;
  private NodeState[] nodes = new NodeState[64];
  private int size;

  public void clear() {
    size = 0;
    mark++;
  }

  /** Adds a node; false when it was in the set already. */
  public boolean add(NodeState node) {
    if (node.id() >= marks.length) {
      marks = Arrays.copyOf(marks, Math.max(64, 2 * node.id()));
      indices = Arrays.copyOf(indices, marks.length);
    }
    if (marks[node.id()] == mark) {
      return false;
    }
    marks[node.id()] = mark;
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * size);
    }
    indices[node.id()] = size;
    nodes[size++] = node;
    return true;
  }

  public boolean contains(NodeState node) {
    return node.id() < marks.length && marks[node.id()] == mark;
  }

  /** Index at which a node was added. */
  public int indexOf(NodeState node) {
    return indices[node.id()];
  }

  public int size() {
    return size;
  }

  public NodeState get(int index) {
    return nodes[index];
  }
}
