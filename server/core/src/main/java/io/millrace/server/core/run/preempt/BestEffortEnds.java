package io.millrace.server.core.run.preempt;

import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.SchedulerScope;

/** Whether the run of a best-effort queue has to end for another job. */
final class BestEffortEnds {
  /** What a proposal says that wants the end of such a run. */
  static final String WAY = "E";

  private BestEffortEnds() {}

  /**
   * @param queue of the job that is to give way
   */
  static Decision decide(Context c, Job job, ClusterObject queue, PreemptJob command) {
    if (!BestEffortQueue.is(queue)) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!mayWant(c, command)) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    boolean again =
        job.getSpec().getRerunnable()
            && Context.attribute(queue, AttributeTable.BEST_EFFORT_REQUEUE, "").equals("True");
    String by = "Scheduler@" + c.meta().getHost();
    Decision decision =
        Decision.done(c)
            .fact(
                new RunPreempted(
                    c.stamp(), job.getId(), job.getRun(), command.getForJob(), again, by));
    return Orders.kill(c, job, decision);
  }

  /** Whether the job for which the run is to end waits here and is not best effort itself. */
  private static boolean mayWant(Context c, PreemptJob command) {
    Job wants = c.job(command.getForJob());
    if (wants == null || !SchedulerScope.of(c, wants, command.getScheduler())) {
      return false;
    }
    boolean waits =
        wants.getStatus() == JobStatus.QUEUED || wants.getSuspension() == Suspension.RESUMABLE;
    return waits && !BestEffortQueue.is(PartitionTable.queue(c.view(), wants.getSpec().getQueue()));
  }
}
