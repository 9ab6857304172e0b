package io.millrace.server.core.run.suspend;

import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.admission.RunningAmounts;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.QueueNodes;
import io.millrace.server.core.placement.SchedulerScope;
import io.millrace.server.core.run.finished.RunEndEffects;
import java.util.Optional;

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
              // One at a time, since a resumed run, or a lease that is asked for, changes the rest.
              if (enough || resumeOne(c, node, queueNodes, decision)) {
                decision.goOn(c, WORK, name);
                return false;
              }
              return true;
            });
    return decision;
  }

  /** Resumes a run of the node, or asks for what it needs; returns whether it did either. */
  private static boolean resumeOne(Context c, Node node, QueueNodes queueNodes, Decision decision) {
    for (Holding holding : node.getSuspended()) {
      Job job = RunEndEffects.current(c, holding.getJobId(), holding.getRun());
      boolean waits =
          job != null
              && job.getSuspension() == Suspension.RESUMABLE
              && job.getKilling() == KillPurpose.NONE;
      if (waits && ready(c, job, queueNodes) && resumeOrAsk(c, job, decision)) {
        return true;
      }
    }
    return false;
  }

  /** What the server has too little of is asked for; the run goes on when this work comes again. */
  private static boolean resumeOrAsk(Context c, Job job, Decision decision) {
    Optional<Decision> refusal = RunningAmounts.refusal(c, job, job.getAllocation().getShares());
    if (refusal.isEmpty()) {
      Suspensions.resume(c, job, BY, decision);
      return true;
    }
    refusal.get().facts().forEach(decision::fact);
    refusal.get().messages().forEach(asked -> decision.tell(asked.shard(), asked.command()));
    return !refusal.get().facts().isEmpty();
  }

  private static boolean ready(Context c, Job job, QueueNodes queueNodes) {
    return SchedulerScope.ofNobody(c, job, queueNodes)
        && SchedulerScope.started(c, job)
        && SchedulerScope.roomToGoOn(c, job);
  }

  /** For an operator, who need not mind limits: resumes a run that no engine can propose. */
  static void resume(Context c, Job job, Decision decision) {
    if (ready(c, job, new QueueNodes())) {
      Suspensions.resume(c, job, BY, decision);
    }
  }
}
