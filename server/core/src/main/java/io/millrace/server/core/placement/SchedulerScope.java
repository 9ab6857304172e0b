package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import java.util.function.Predicate;

/** Which queues and nodes a scheduler serves, and whether a suspended run could resume. */
public final class SchedulerScope {
  private SchedulerScope() {}

  /** Whether the job's queue is in a partition of this shard that the scheduler object serves. */
  public static boolean of(Context c, Job job, String scheduler) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    return queue != null && served(c, scheduler).test(queue);
  }

  /**
   * Queues and nodes in all partitions of this shard that the scheduler object serves. A Grid
   * Engine cell uses them as one: its jobs wait in one queue and run on hosts of any of its
   * partitions.
   */
  public static Predicate<ClusterObject> served(Context c, String scheduler) {
    return object -> {
      String partition = PartitionTable.partitionOf(object);
      return scheduler.equals(PartitionTable.schedulerOf(c.view(), partition))
          && PartitionTable.shardOf(c.view(), partition) == c.shard();
    };
  }

  /**
   * Whether no engine can propose to resume the suspended run: its queue went to another shard or
   * is served by nobody, or its nodes do not serve the queue, for which they may never have been
   * where an operator named them.
   *
   * @param queueNodes which nodes serve which queue; the same for many jobs
   */
  public static boolean ofNobody(Context c, Job job, QueueNodes queueNodes) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    String scheduler = PartitionTable.schedulerOf(c.view(), PartitionTable.partitionOf(queue));
    if (scheduler.isEmpty() || !of(c, job, scheduler)) {
      return true;
    }
    Predicate<ClusterObject> serves =
        job.getAllocation().getGridEngine() == null
            ? node -> queueNodes.serves(c.view(), node, queue)
            : served(c, scheduler);
    return job.getAllocation().getShares().stream()
        .map(share -> PartitionTable.node(c.view(), share.getNode()))
        .anyMatch(serves.negate());
  }

  /** Whether jobs of the job's queue may start. */
  public static boolean started(Context c, Job job) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    return !RouteQueue.is(queue) && "True".equals(Context.attribute(queue, "started", "False"));
  }

  /** Whether all that the suspended run held is free again. */
  public static boolean roomToGoOn(Context c, Job job) {
    boolean gridEngine = job.getAllocation().getGridEngine() != null;
    NodeRoom room =
        new NodeRoom(c.view(), CustomResources.with(c.view()), job, gridEngine, c.nowMs());
    return room.hasAgain(job.getAllocation().getShares());
  }
}
