package io.millrace.schedulers.core.state.node;

import java.util.HashMap;
import java.util.Map;

/**
 * Which queues have nodes of their own, by the attribute {@code queue} of nodes. Such a queue runs
 * its jobs on these nodes only, and they run no others, whether they are up or not.
 */
public final class Bindings {

  /** By queue: nodes that are bound to it, in whatever partition they are. */
  private final Map<String, Integer> nodes = new HashMap<>();

  /** True when nodes are bound to a queue. */
  public boolean hasNodes(String queue) {
    return nodes.containsKey(queue);
  }

  /** The pool of a queue in its partition. */
  PoolKey keyOf(String partition, String queue) {
    return new PoolKey(partition, hasNodes(queue) ? queue : "");
  }

  /**
   * A node is bound to another queue than before; empty for none.
   *
   * @return true when one of the two has its first node, or lost its last
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
