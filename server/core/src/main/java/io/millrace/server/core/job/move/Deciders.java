package io.millrace.server.core.job.move;

import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.admission.QueueChanges;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.handover.message.HandoverOffers;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;

/** Decides moves to another queue. */
public final class Deciders {

  public Decision decide(Context c, MoveJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (JobNumbers.isSubjob(job.getNumber())) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    boolean begun = ArrayStates.is(job) && job.getStartedMs() >= 0;
    if (begun || (job.getStatus() != JobStatus.QUEUED && job.getStatus() != JobStatus.HELD)) {
      return Decision.rejected(
          c, job.getStatus() == JobStatus.FINISHED ? PbsError.JOB_FINISHED : PbsError.BAD_STATE);
    }
    ClusterObject queue = PartitionTable.queue(c.view(), command.getQueue());
    int shard = queue == null ? reserving(c, command) : PartitionTable.shardOf(c.view(), queue);
    if (queue == null && shard < 0) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    if (shard != c.shard()) {
      Decision decision = Decision.none();
      Job closed = SubjobWindow.closed(c, job, decision);
      HandoverOffers.offer(c, closed, shard, command.getQueue(), c.meta(), decision);
      return decision;
    }
    Queue counts = c.view().queues().get(command.getQueue());
    if (counts != null && counts.getClosing()) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    try {
      return here(c, job, queue);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  /** The shard of a reservation's queue that is not here; -1 for all other queues. */
  private static int reserving(Context c, MoveJob command) {
    boolean away =
        ReservationIds.isReserved(command.getQueue()) && command.getQueueShard() != c.shard();
    return away ? command.getQueueShard() : -1;
  }

  /** A move inside the shard; what the job asks for follows the defaults of its new queue. */
  private static Decision here(Context c, Job job, ClusterObject queue) throws PbsRefusal {
    String from = job.getSpec().getQueue();
    JobSpec moved = Copies.inQueue(job.getSpec(), queue.getName());
    JobSpec spec =
        new JobAdmission(c)
            .admit(queue, moved, ArrayStates.weight(job), QueueChanges.moved(c, from, queue));
    Route route = RouteQueue.entered(queue, c.nowMs());
    long rank = c.numbers().getNextRank();
    Decision decision = Decision.done(c);
    SubjobWindow.closed(c, job, decision);
    decision.fact(new JobMoved(c.stamp(), job.getId(), from, queue.getName(), rank, route));
    ArrayWork.soon(c, job, decision);
    if (route != null) {
      RoutingWork.entered(c, job.getId(), decision);
    }
    if (!spec.equals(moved)) {
      decision.fact(new JobAltered(c.stamp(), job.getId(), spec, "Resource_List", null));
    }
    return decision;
  }
}
