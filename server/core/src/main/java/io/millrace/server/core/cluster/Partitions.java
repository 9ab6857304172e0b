package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import java.util.List;
import java.util.Map;

/** Partitions exist because queues, nodes or schedulers name them; this makes them. */
final class Partitions {
  private final Draft draft;

  Partitions(Draft draft) {
    this.draft = draft;
  }

  static void refuseDefaultName(String partition) throws RejectedChange {
    if (partition.equals(PartitionTable.DEFAULT_PARTITION)) {
      throw new RejectedChange(PbsError.DEFAULT_PARTITION_NAME);
    }
  }

  /**
   * Whether a queue and a node are in different partitions; no partition is compatible with any.
   */
  static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }

  void ensure(String partition) {
    if (!partition.isEmpty() && draft.find(ObjectKind.PARTITION, partition) == null) {
      draft.write(
          ObjectKind.PARTITION, partition, Map.of("shard", String.valueOf(leastUsedShard())));
    }
  }

  /** Takes the partition from its scheduler; it stays in its shard. */
  void orphan(String partition) {
    ClusterObject object = draft.find(ObjectKind.PARTITION, partition);
    draft.write(
        ObjectKind.PARTITION, partition, Map.of("shard", Context.attribute(object, "shard", "0")));
  }

  /** The shard with the fewest schedulers and partitions; the administrative one last. */
  int leastUsedShard() {
    int shards = draft.view().shards();
    int[] used = new int[shards];
    for (ObjectKind kind : List.of(ObjectKind.SCHEDULER, ObjectKind.PARTITION)) {
      Nodes.each(
          draft.view(), kind, o -> used[Integer.parseInt(Context.attribute(o, "shard", "0"))]++);
    }
    int best = shards - 1;
    for (int shard = shards - 1; shard > 0; shard--) {
      best = used[shard] <= used[best] ? shard : best;
    }
    return best;
  }
}
