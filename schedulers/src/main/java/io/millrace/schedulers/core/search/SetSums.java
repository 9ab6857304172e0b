package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;

/**
 * For a job whose chunks have to lie in one set of nodes: chunks by kind for which each set has
 * room, kept from event to event of a search. A node may be in several sets.
 */
final class SetSums {

  /** Numbers of the sets that each node belongs to, by index of the node. */
  private int[][] setsOf = {};

  /** Chunks with room, by kind and set. */
  private long[][] sums = {};

  /**
   * Starts the sums from the room of each node.
   *
   * @param rooms chunks by kind and node index
   */
  void begin(RequestShape shape, Pool pool, NodeSets sets, int[][] rooms) {
    setsOf = new int[pool.nodes().length][];
    sums = new long[shape.kinds().length][sets.size()];
    for (NodeState node : pool.nodes()) {
      setsOf[node.index()] = sets.of(node);
      for (int k = 0; k < sums.length; k++) {
        add(k, node, rooms[k][node.index()]);
      }
    }
  }

  /** A node has room for more chunks of a kind than before; for less below 0. */
  void add(int kind, NodeState node, int more) {
    for (int set : setsOf[node.index()]) {
      sums[kind][set] += more;
    }
  }

  /** Chunks that are missing at least in the set where the fewest are. */
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
