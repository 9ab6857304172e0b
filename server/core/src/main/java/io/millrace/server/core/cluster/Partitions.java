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

  /** Most there are: each is in the state of every shard, and none of them goes away again. */
  static final int PARTITIONS_MAX = 1_000;

  private final Draft draft;
  private int made;

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

  void ensure(String partition) throws RejectedChange {
    if (!partition.isEmpty() && draft.find(ObjectKind.PARTITION, partition) == null) {
      place(partition, Map.of("shard", String.valueOf(leastUsedShard())));
    }
  }

  /** Says where a partition is, of a new one as well. */
  void place(String partition, Map<String, String> placed) throws RejectedChange {
    if (draft.find(ObjectKind.PARTITION, partition) == null) {
      int[] count = {made++};
      Nodes.each(draft.view(), ObjectKind.PARTITION, other -> count[0]++);
      if (count[0] >= PARTITIONS_MAX) {
        throw new RejectedChange(
            PbsError.ILLEGAL_VALUE, ": there are " + PARTITIONS_MAX + " partitions, the most");
      }
    }
    draft.write(ObjectKind.PARTITION, partition, placed);
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
