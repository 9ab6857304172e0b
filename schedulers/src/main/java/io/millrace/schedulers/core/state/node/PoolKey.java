package io.millrace.schedulers.core.state.node;

/**
 * Which nodes are in a pool: those of a partition that are bound to one queue, or to none.
 *
 * @param queue empty for the nodes that are bound to no queue
 */
public record PoolKey(String partition, String queue) {

  /** The nodes of a partition that are bound to no queue. */
  static PoolKey unbound(String partition) {
    return new PoolKey(partition, "");
  }
}
