package io.millrace.server.core.job.move;

import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.Away;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.handover.Offers;

/** Decides moves to another queue. */
public final class Deciders {

  public Decision decide(Context c, MoveJob command) {
    Decision away = Away.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (job.getStatus() != JobStatus.QUEUED && job.getStatus() != JobStatus.HELD) {
      return Decision.rejected(
          c, job.getStatus() == JobStatus.FINISHED ? PbsError.JOB_FINISHED : PbsError.BAD_STATE);
    }
    ClusterObject queue = Placement.queue(c.view(), command.getQueue());
    if (queue == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    int shard = Placement.shardOf(c.view(), queue);
    if (shard != c.shard()) {
      Decision decision = Decision.none();
      Offers.offer(c, job, shard, command.getQueue(), c.meta(), decision);
      return decision;
    }
    Queue counts = c.view().queues().get(command.getQueue());
    if (counts != null && counts.getClosing()) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    if (!"True".equals(Context.attribute(queue, "enabled", "False"))) {
      return Decision.rejected(c, PbsError.QUEUE_NOT_ENABLED);
    }
    return Decision.done(c)
        .fact(
            new JobMoved(
                c.stamp(),
                job.getId(),
                job.getSpec().getQueue(),
                command.getQueue(),
                c.numbers().getNextRank()));
  }
}
