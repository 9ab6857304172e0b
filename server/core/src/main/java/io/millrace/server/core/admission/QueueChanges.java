package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;

/** Which kind of admission applies when a job goes from one queue of this shard to another. */
public final class QueueChanges {
  private QueueChanges() {}

  /** A move that somebody asked for. */
  public static JobAdmission.Way moved(Context c, String from, ClusterObject queue) {
    if (c.isManager() || from.equals(queue.getName())) {
      return JobAdmission.Way.PUT;
    }
    return sameScheduler(c, from, queue) ? JobAdmission.Way.MOVED : JobAdmission.Way.ARRIVED;
  }

  /**
   * Routing from a routing queue: the server's limits apply only if the new queue has another
   * scheduler.
   */
  public static JobAdmission.Way routed(Context c, String from, ClusterObject destination) {
    boolean same = sameScheduler(c, from, destination);
    return same ? JobAdmission.Way.ROUTED : JobAdmission.Way.ROUTED_FAR;
  }

  private static boolean sameScheduler(Context c, String from, ClusterObject queue) {
    return scheduler(c, PartitionTable.queue(c.view(), from)).equals(scheduler(c, queue));
  }

  private static String scheduler(Context c, ClusterObject queue) {
    return queue == null
        ? ""
        : PartitionTable.schedulerOf(c.view(), PartitionTable.partitionOf(queue));
  }
}
