package io.millrace.schedulers.core.state.node;

import java.util.HashMap;
import java.util.Map;

/**
 * Which queues have nodes of their own, by the attribute {@code queue} of nodes. The jobs of such a
 * queue run on these nodes only, and these nodes run no other jobs; nodes that are down count too.
 */
public final class Bindings {

  /** Number of nodes that are bound to each queue, in any partition. */
  private final Map<String, Integer> nodes = new HashMap<>();

  /** True when any node is bound to the queue. */
  public boolean hasNodes(String queue) {
    return nodes.containsKey(queue);
  }

  /** Key of the pool that serves a queue of a partition. */
  PoolKey keyOf(String partition, String queue) {
    return new PoolKey(partition, hasNodes(queue) ? queue : "");
  }

  /**
   * Moves a node from one queue to another; an empty name stands for no queue.
   *
   * @return true when a queue got its first node or lost its last one
   */
  boolean moved(String was, String is) {
    if (was.equals(is)) {
      return false;
    }
    boolean last = !was.isEmpty() && nodes.merge(was, -1, Bindings::sum) == null;
    boolean first = !is.isEmpty() && nodes.merge(is, 1, Bindings::sum) == 1;
    return last || first;
  }

  private static Integer sum(int some, int more) {
    return some + more == 0 ? null : Integer.valueOf(some + more);
  }
}
