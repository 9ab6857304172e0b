package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.View;
import java.util.List;

/** Partitions and schedulers that would leave this shard, and what keeps them in it. */
final class StayingObjects {
  private StayingObjects() {}

  /**
   * Why one of the objects stays as it is, in lines for who wants it changed; empty for nothing.
   */
  static List<String> why(View view, List<ClusterObject> changed) {
    for (ClusterObject object : changed) {
      String name = object.getName();
      if (Reservations.keep(view, object)) {
        String scheduler = Context.attribute(object, "scheduler", "");
        return List.of(
            PbsError.OBJECT_BUSY.text()
                + ": partition "
                + name
                + " has reservations, and scheduler "
                + scheduler
                + " serves another shard's partitions or adds up usage there;"
                + " give it to a scheduler without partitions, or delete its reservations");
      }
      if (object.getKind() == ObjectKind.SCHEDULER && leavesUsage(view, object)) {
        return List.of(
            PbsError.OBJECT_BUSY.text()
                + ": usage of fair share is kept for scheduler "
                + name
                + " in another shard than that of the partition; take another scheduler");
      }
    }
    return List.of();
  }

  private static boolean leavesUsage(View view, ClusterObject scheduler) {
    ClusterObject before = PartitionTable.scheduler(view, scheduler.getName());
    Scheduler state = view.schedulers().get(scheduler.getName());
    return before != null
        && state != null
        && state.getEntities() > 0
        && isOf(view, before)
        && !isOf(view, scheduler);
  }

  private static boolean isOf(View view, ClusterObject scheduler) {
    return Context.attribute(scheduler, "shard", "-1").equals(String.valueOf(view.shard()));
  }
}
