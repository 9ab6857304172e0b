package io.millrace.server.core.run.suspend;

import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.QueueNodes;
import io.millrace.server.core.placement.SchedulerScope;
import io.millrace.server.core.run.finished.RunEndEffects;

/**
 * Suspended runs whose queue or nodes went elsewhere, or are of another queue now: the engine of
 * the queue does not have their nodes, and would never propose to resume them. They can resume on
 * these nodes only, which stay in this shard as long as they do, so the shard itself resumes them
 * when there is room.
 */
public final class StrandedRuns {
  /** Name of the continued work. */
  public static final String WORK = "stranded-runs";

  private static final String BY = "server";
  private static final int LOOKED_AT_ONCE = 2000;

  private StrandedRuns() {}

  /** Resumes the runs that have room, node by node from the cursor on. */
  static Decision go(Context c, String cursor) {
    Decision decision = Decision.none();
    QueueNodes queueNodes = new QueueNodes();
    int[] looked = {0};
    c.view()
        .nodes()
        .scan(
            cursor,
            null,
            (name, node) -> {
              boolean enough = looked[0]++ == LOOKED_AT_ONCE;
              // One at a time, since a resumed run changes what is free.
              if (enough || resumeOne(c, node, queueNodes, decision)) {
                decision.goOn(c, WORK, name);
                return false;
              }
              return true;
            });
    return decision;
  }

  private static boolean resumeOne(Context c, Node node, QueueNodes queueNodes, Decision decision) {
    for (Holding holding : node.getSuspended()) {
      Job job = RunEndEffects.current(c, holding.getJobId(), holding.getRun());
      boolean waits =
          job != null
              && job.getSuspension() == Suspension.RESUMABLE
              && job.getKilling() == KillPurpose.NONE;
      if (waits && resume(c, job, queueNodes, decision)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Resumes a run that only waits for room and that no engine can propose; returns whether it did.
   */
  static boolean resume(Context c, Job job, QueueNodes queueNodes, Decision decision) {
    boolean goesOn =
        SchedulerScope.ofNobody(c, job, queueNodes)
            && SchedulerScope.started(c, job)
            && SchedulerScope.roomToGoOn(c, job);
    if (goesOn) {
      Suspensions.resume(c, job, BY, decision);
    }
    return goesOn;
  }
}
