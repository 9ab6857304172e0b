package io.millrace.ops.faults;

/** The cluster of a run without a campaign. */
enum FaultCluster {
  /** One queue, one node. */
  ONE_PARTITION,
  /** Jobs, queues, nodes and partitions cross between three shards. */
  HANDOVERS,
  /** One queue, whose scheduler adds up what accounts use. */
  FAIR_SHARE
}
