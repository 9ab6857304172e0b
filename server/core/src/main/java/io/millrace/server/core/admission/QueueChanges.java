package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;

/** In which way a job goes from one queue of this shard to another. */
public final class QueueChanges {
  private QueueChanges() {}

  /** As somebody wants it. */
  public static JobAdmission.Way moved(Context c, String from, ClusterObject queue) {
    if (c.isManager() || from.equals(queue.getName())) {
      return JobAdmission.Way.PUT;
    }
    return sameScheduler(c, from, queue) ? JobAdmission.Way.MOVED : JobAdmission.Way.ARRIVED;
  }

  /** From a routing queue: the server's limits hold where the job comes to another scheduler. */
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
