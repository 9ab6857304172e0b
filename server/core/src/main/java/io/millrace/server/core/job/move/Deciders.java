package io.millrace.server.core.job.move;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.Away;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.Refused;
import io.millrace.server.core.admission.Admission;
import io.millrace.server.core.handover.Offers;
import io.millrace.server.core.job.array.Arrays;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.route.RouteQueue;
import io.millrace.server.core.job.route.Routing;

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
    if (JobNumbers.isSubjob(job.getNumber())) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    boolean begun = Arrays.is(job) && job.getStartedMs() >= 0;
    if (begun || (job.getStatus() != JobStatus.QUEUED && job.getStatus() != JobStatus.HELD)) {
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
      Job closed = Window.closed(c, job, decision);
      Offers.offer(c, closed, shard, command.getQueue(), c.meta(), decision);
      return decision;
    }
    Queue counts = c.view().queues().get(command.getQueue());
    if (counts != null && counts.getClosing()) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    try {
      return here(c, job, queue);
    } catch (Refused e) {
      return Decision.rejected(c, e);
    }
  }

  /** A move inside the shard; what the job asks for follows the defaults of its new queue. */
  private static Decision here(Context c, Job job, ClusterObject queue) throws Refused {
    String from = job.getSpec().getQueue();
    JobSpec moved = Appliers.inQueue(job.getSpec(), queue.getName());
    JobSpec spec = new Admission(c).admit(queue, moved, Arrays.weight(job), way(c, from, queue));
    Route route = RouteQueue.entered(queue, c.nowMs());
    long rank = c.numbers().getNextRank();
    Decision decision = Decision.done(c);
    Window.closed(c, job, decision);
    decision.fact(new JobMoved(c.stamp(), job.getId(), from, queue.getName(), rank, route));
    Window.soon(c, job, decision);
    if (route != null) {
      decision.tell(c.shard(), new Continue(c.asShard(), Routing.JOB, job.getId()));
    }
    if (!spec.equals(moved)) {
      decision.fact(new JobAltered(c.stamp(), job.getId(), spec, "Resource_List", null));
    }
    return decision;
  }

  /** In which way a job goes from one queue of this shard to another. */
  public static Admission.Way way(Context c, String from, ClusterObject queue) {
    if (c.isManager() || from.equals(queue.getName())) {
      return Admission.Way.PUT;
    }
    boolean sameScheduler =
        scheduler(c, Placement.queue(c.view(), from)).equals(scheduler(c, queue));
    return sameScheduler ? Admission.Way.MOVED : Admission.Way.ARRIVED;
  }

  private static String scheduler(Context c, ClusterObject queue) {
    return queue == null ? "" : Placement.schedulerOf(c.view(), Placement.partitionOf(queue));
  }
}
