package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;

/** Sums and maxima over the nodes of a pool at one moment of a cycle; arrays by resource number. */
final class Summary {

  /** Stands for {@link Space#version} at the time it was made. */
  final int version;

  final int usable;
  final long[] sumFree;
  final long[] mostFree;
  final long[] sumCapacity;
  final long[] mostCapacity;

  Summary(Pool pool, Space space, int resources) {
    version = space.version();
    sumFree = new long[resources];
    mostFree = new long[resources];
    sumCapacity = new long[resources];
    mostCapacity = new long[resources];
    int usableNodes = 0;
    for (NodeState node : pool.nodes()) {
      add(node.capacity, sumCapacity, mostCapacity);
      if (node.usable) {
        usableNodes++;
        if (space.open(node, Sharing.SHARED)) {
          add(space.free(node), sumFree, mostFree);
        }
      }
    }
    usable = usableNodes;
    space.work(pool.nodes().length);
  }

  private static void add(long[] amounts, long[] sum, long[] most) {
    for (int resource = 0; resource < amounts.length; resource++) {
      long amount = Math.max(0, amounts[resource]);
      sum[resource] += amount;
      most[resource] = Math.max(most[resource], amount);
    }
  }
}
