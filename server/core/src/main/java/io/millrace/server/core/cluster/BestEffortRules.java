package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import java.util.Map;

/** Which queues may be best effort. */
final class BestEffortRules {
  private static final String GRID_ENGINE = "gridengine";

  /** Why the attribute stays as it is. */
  static final String BUSY =
      PbsError.ILLEGAL_VALUE.text() + ": best_effort changes only while the queue has no jobs";

  private final Draft draft;

  BestEffortRules(Draft draft) {
    this.draft = draft;
  }

  /** A queue is written. */
  void queue(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    boolean on = "True".equals(attributes.get(AttributeTable.BEST_EFFORT));
    if (!on && attributes.containsKey(AttributeTable.BEST_EFFORT_REQUEUE)) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": best_effort_requeue is for queues with best_effort = True");
    }
    if (before != null && on != BestEffortQueue.is(before)) {
      draft.askAllShards();
    }
    String partition = attributes.getOrDefault("partition", "");
    String scheduler = on ? keeper(partition) : "";
    if (byGridEngine(draft.find(ObjectKind.SCHEDULER, scheduler))) {
      throw refused(scheduler);
    }
  }

  /** A scheduler object is written, with its partitions. */
  void scheduler(String name, Map<String, String> attributes) throws RejectedChange {
    if (!GRID_ENGINE.equals(attributes.get("policy"))) {
      return;
    }
    boolean any =
        Nodes.any(
            draft.view(),
            ObjectKind.QUEUE,
            queue ->
                BestEffortQueue.is(queue)
                    && name.equals(keeper(Context.attribute(queue, "partition", ""))));
    if (any) {
      throw refused(name);
    }
  }

  private String keeper(String partition) {
    String name = partition.isEmpty() ? PartitionTable.DEFAULT_PARTITION : partition;
    ClusterObject object = draft.find(ObjectKind.PARTITION, name);
    return Context.attribute(object, "scheduler", "");
  }

  private static boolean byGridEngine(ClusterObject scheduler) {
    return scheduler != null && Context.attribute(scheduler, "policy", "").equals(GRID_ENGINE);
  }

  private static RejectedChange refused(String scheduler) {
    return new RejectedChange(
        PbsError.ILLEGAL_VALUE,
        ": best_effort is not for scheduler "
            + scheduler
            + ", whose policy is gridengine: there a queue gives way by subordinate_list");
  }
}
