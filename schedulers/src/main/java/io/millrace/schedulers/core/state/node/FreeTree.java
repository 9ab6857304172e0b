package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.ResourceNames;
import java.util.Arrays;

/**
 * What is free on each node of a pool or set, with the sum over all nodes and the most on any.
 * Finding the next node with room costs the logarithm of their number instead of a look at each: a
 * tree over the nodes in their order that knows the most free below each of its inner points, by
 * resource.
 */
public final class FreeTree {

  private final NodeState[] nodes;
  private final int leaves;

  /** By resource number: tree[r][1] is the root, tree[r][leaves + i] stands for node i. */
  private long[][] tree = {};

  private long[] sum = {};

  FreeTree(NodeState[] nodes) {
    this.nodes = nodes;
    int size = 1;
    while (size < nodes.length) {
      size *= 2;
    }
    this.leaves = size;
    for (int i = 0; i < nodes.length; i++) {
      refresh(nodes[i], i);
    }
  }

  public long sum(int resource) {
    return ResourceNames.at(sum, resource);
  }

  /** Largest amount of the resource that is free on one node. */
  public long most(int resource) {
    return resource < tree.length ? tree[resource][1] : 0;
  }

  /**
   * Updates a node's free amounts; a node that shared jobs may not use counts as having nothing
   * free.
   *
   * @param index of the node in the order of the tree
   */
  void refresh(NodeState node, int index) {
    long[] free = node.free();
    if (free.length > tree.length) {
      grow(free.length);
    }
    boolean open = node.openToShared();
    for (int resource = 0; resource < tree.length; resource++) {
      long amount = open ? Math.max(0, ResourceNames.at(free, resource)) : 0;
      long[] most = tree[resource];
      int at = leaves + index;
      long before = most[at];
      if (before == amount) {
        continue;
      }
      sum[resource] += amount - before;
      most[at] = amount;
      for (at >>>= 1; at > 0; at >>>= 1) {
        long above = Math.max(most[2 * at], most[2 * at + 1]);
        if (most[at] == above) {
          break;
        }
        most[at] = above;
      }
    }
  }

  /**
   * Index of the first node at or after {@code from} on which one chunk of the kind may fit; the
   * number of nodes when there is none.
   */
  public int next(int from, ChunkKind kind) {
    if (from >= nodes.length) {
      return nodes.length;
    }
    if (kind.resources().length == 0) {
      return from;
    }
    int at = leaves + from;
    while (true) {
      if (enough(at, kind)) {
        if (at >= leaves) {
          return Math.min(at - leaves, nodes.length);
        }
        at = 2 * at;
        continue;
      }
      // Move right; move up when this was a right child.
      while ((at & 1) == 1) {
        at >>>= 1;
        if (at <= 1) {
          return nodes.length;
        }
      }
      if (at == 0) {
        return nodes.length;
      }
      at++;
    }
  }

  /**
   * Largest free amount of one resource of a kind among the nodes with enough of its other
   * resources; -1 when no node has enough of those.
   *
   * @param which index of the resource in the kind
   */
  public long mostBeside(ChunkKind kind, int which) {
    return nodes.length == 0 ? -1 : mostBeside(1, kind, which, -1);
  }

  private long mostBeside(int at, ChunkKind kind, int which, long known) {
    int resource = kind.resources()[which];
    long here = resource < tree.length ? tree[resource][at] : 0;
    if (here <= known || !enough(at, kind, which)) {
      return known;
    }
    if (at >= leaves) {
      return at - leaves < nodes.length ? here : known;
    }
    int better =
        resource < tree.length && tree[resource][2 * at + 1] > tree[resource][2 * at] ? 1 : 0;
    long most = mostBeside(2 * at + better, kind, which, known);
    return mostBeside(2 * at + 1 - better, kind, which, most);
  }

  private boolean enough(int at, ChunkKind kind) {
    return enough(at, kind, -1);
  }

  /** True when enough of each resource is free, the one with the index {@code except} aside. */
  private boolean enough(int at, ChunkKind kind, int except) {
    int[] resources = kind.resources();
    long[] amounts = kind.amounts();
    for (int i = 0; i < resources.length; i++) {
      if (i == except) {
        continue;
      }
      if (resources[i] >= tree.length || tree[resources[i]][at] < amounts[i]) {
        return false;
      }
    }
    return true;
  }

  private void grow(int resources) {
    int before = tree.length;
    tree = Arrays.copyOf(tree, resources);
    for (int resource = before; resource < resources; resource++) {
      tree[resource] = new long[2 * leaves];
    }
    sum = Arrays.copyOf(sum, resources);
  }
}
