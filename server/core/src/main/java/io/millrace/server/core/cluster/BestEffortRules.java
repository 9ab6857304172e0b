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
import java.util.Set;
import java.util.TreeSet;

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
  void queue(String name, ClusterObject before, Map<String, String> attributes)
      throws RejectedChange {
    boolean on = "True".equals(attributes.get(AttributeTable.BEST_EFFORT));
    refuseNights(name, on, attributes.getOrDefault(AttributeTable.NIGHT_QUEUE, ""));
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

  /** Jobs that are ordinary ones by night have an ordinary queue then. */
  private void refuseNights(String name, boolean on, String night) throws RejectedChange {
    ClusterObject other = night.equals(name) ? null : draft.find(ObjectKind.QUEUE, night);
    if (on && night.equals(name) || other != null && BestEffortQueue.is(other)) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": night_queue is an ordinary queue, and " + night + " is not");
    }
    if (on) {
      refuseNightOf(name, PbsError.ILLEGAL_VALUE, ": best_effort is not for " + name + ",");
    }
  }

  /** A queue is deleted. */
  void delete(String name) throws RejectedChange {
    refuseNightOf(name, PbsError.OBJECT_BUSY, ": " + name + ",");
  }

  private void refuseNightOf(String name, PbsError error, String what) throws RejectedChange {
    Set<String> queues = new TreeSet<>();
    Nodes.each(draft.view(), ObjectKind.QUEUE, it -> queues.add(it.getName()));
    draft.written().stream()
        .filter(it -> it.getKind() == ObjectKind.QUEUE)
        .forEach(it -> queues.add(it.getName()));
    queues.remove(name);
    for (String other : queues) {
      ClusterObject object = draft.find(ObjectKind.QUEUE, other);
      if (Context.attribute(object, AttributeTable.NIGHT_QUEUE, "").equals(name)) {
        throw new RejectedChange(error, what + " which is the night_queue of " + other);
      }
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
