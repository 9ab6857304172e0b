package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;

/**
 * Which partition a queue or node is in, and which scheduler object and shard a partition belongs
 * to.
 */
public final class PartitionTable {
  /** Partition of queues and nodes that name none; served by the scheduler "default". */
  public static final String DEFAULT_PARTITION = "pbs-default";

  private PartitionTable() {}

  /** The queue object, that of a reservation of this shard included, or null. */
  public static ClusterObject queue(View view, String name) {
    ClusterObject object = view.objects().get(Keys.object(ObjectKind.QUEUE, name));
    if (object == null) {
      Reservation reservation = Reservations.ofQueue(view, name);
      return reservation == null ? null : Reservations.queue(view, reservation);
    }
    return object;
  }

  public static ClusterObject node(View view, String name) {
    return view.objects().get(Keys.object(ObjectKind.NODE, name));
  }

  public static ClusterObject scheduler(View view, String name) {
    return view.objects().get(Keys.object(ObjectKind.SCHEDULER, name));
  }

  public static String partitionOf(ClusterObject queueOrNode) {
    return Context.attribute(queueOrNode, "partition", DEFAULT_PARTITION);
  }

  /** Shard of a partition; -1 for one that nothing ever named. */
  public static int shardOf(View view, String partition) {
    ClusterObject object = view.objects().get(Keys.object(ObjectKind.PARTITION, partition));
    return Integer.parseInt(Context.attribute(object, "shard", "-1"));
  }

  /** Shard in which the object's jobs or allocations live. */
  public static int shardOf(View view, ClusterObject queueOrNode) {
    return shardOf(view, partitionOf(queueOrNode));
  }

  /** Scheduler object that serves a partition; empty when none does. */
  public static String schedulerOf(View view, String partition) {
    ClusterObject object = view.objects().get(Keys.object(ObjectKind.PARTITION, partition));
    return Context.attribute(object, "scheduler", "");
  }
}
