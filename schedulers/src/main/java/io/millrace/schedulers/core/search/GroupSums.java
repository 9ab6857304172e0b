package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import java.util.Arrays;
import java.util.List;

/**
 * For a job whose chunks have to lie on nodes of one group: chunks by kind for which each group has
 * room, kept from event to event of a search. A node may be in several groups.
 */
final class GroupSums {

  /** Numbers of the groups that each node belongs to, by index of the node. */
  private int[][] groupsOf = {};

  /** Chunks with room, by kind and group. */
  private long[][] sums = {};

  /**
   * Starts the sums from the room of each node.
   *
   * @param rooms chunks by kind and node index
   */
  void begin(RequestShape shape, Pool pool, int[][] rooms) {
    List<NodeState[]> groups = pool.groups(shape.placement().group());
    groupsOf = new int[pool.nodes().length][0];
    sums = new long[shape.kinds().length][groups.size()];
    for (int g = 0; g < groups.size(); g++) {
      for (NodeState node : groups.get(g)) {
        int[] before = groupsOf[node.index()];
        groupsOf[node.index()] = Arrays.copyOf(before, before.length + 1);
        groupsOf[node.index()][before.length] = g;
        for (int k = 0; k < sums.length; k++) {
          sums[k][g] += rooms[k][node.index()];
        }
      }
    }
  }

  /** A node has room for more chunks of a kind than before; for less below 0. */
  void add(int kind, NodeState node, int more) {
    for (int group : groupsOf[node.index()]) {
      sums[kind][group] += more;
    }
  }

  /** Chunks that are missing at least in the group where the fewest are. */
  long missing(RequestShape shape) {
    long least = Integer.MAX_VALUE;
    for (int g = 0; g < sums[0].length; g++) {
      long most = Long.MIN_VALUE;
      for (int k = 0; k < sums.length; k++) {
        most = Math.max(most, shape.kinds()[k].count() - sums[k][g]);
      }
      least = Math.min(least, most);
    }
    return least;
  }
}
