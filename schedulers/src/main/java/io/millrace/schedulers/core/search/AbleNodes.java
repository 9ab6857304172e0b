package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import java.util.Arrays;

/**
 * From when on a node can have a chunk of a request at all: promises and bookings aside, since they
 * only take away. A walk through time comes to most nodes several times before one of the runs on
 * them that are in the way has ended; so the time is worked out once a search.
 */
final class AbleNodes {

  private RequestShape shape;

  /** By kind and node index; of the search in {@link #marks}. */
  private long[][] fromMs = {};

  private int[][] marks = {};
  private int search;

  /** Begins another search; the runs do not change during one. */
  void begin(RequestShape wanted, Pool pool) {
    shape = wanted;
    int kinds = shape.kinds().length;
    int nodes = pool.nodes().length;
    search++;
    if (fromMs.length < kinds) {
      int before = fromMs.length;
      fromMs = Arrays.copyOf(fromMs, kinds);
      marks = Arrays.copyOf(marks, kinds);
      Arrays.fill(fromMs, before, kinds, new long[0]);
      Arrays.fill(marks, before, kinds, new int[0]);
    }
    for (int k = 0; k < kinds; k++) {
      if (fromMs[k].length < nodes) {
        fromMs[k] = new long[nodes];
        marks[k] = new int[nodes];
      }
    }
  }

  /** False when a node of the pool has no chunk of a kind at a time, nor at one before. */
  boolean able(NodeState node, int kind, long timeMs) {
    int index = node.index();
    if (marks[kind][index] != search) {
      marks[kind][index] = search;
      ChunkKind chunk = shape.kinds()[kind];
      fromMs[kind][index] =
          node.releases().enoughFrom(node.free(), chunk.resources(), chunk.amounts());
    }
    return fromMs[kind][index] <= timeMs;
  }
}
