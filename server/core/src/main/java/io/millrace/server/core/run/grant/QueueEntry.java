package io.millrace.server.core.run.grant;

import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.placement.SchedulerScope;
import io.millrace.server.core.state.Copies;

/**
 * Into which queue a job goes to run there. Going and starting is one decision, so that no job is
 * ever left waiting in a queue in which jobs only run.
 *
 * @param job as it is in that queue; as it was when it stays where it is
 * @param from its queue before
 */
record QueueEntry(Job job, String from) {

  /**
   * Looks at the queue that a proposal names. As a scheduler of PBS is a manager, access lists,
   * limits of queued jobs and from_route_only of the queue are no hindrance.
   */
  static QueueEntry of(Context c, Job job, RunJob command) throws PbsRefusal {
    String from = job.getSpec().getQueue();
    String into = command.getQueue();
    if (into.isEmpty() || into.equals(from)) {
      return new QueueEntry(job, from);
    }
    if (JobNumbers.isSubjob(job.getNumber())) {
      throw new PbsRefusal(PbsError.INVALID_REQUEST); // it stays in the queue of its array
    }
    ClusterObject queue = PartitionTable.queue(c.view(), into);
    Queue counts = c.view().queues().get(into);
    if (queue == null || counts != null && counts.getClosing()) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    JobSpec moved = Copies.inQueue(job.getSpec(), into);
    Job there = Job.newBuilder(job).setSpec(moved).build();
    if (RouteQueue.is(queue) || !SchedulerScope.of(c, there, command.getScheduler())) {
      throw new PbsRefusal(PbsError.STALE_PROPOSAL);
    }
    there.setSpec(new JobAdmission(c).admit(queue, moved, 1, JobAdmission.AdmissionSource.PUT));
    return new QueueEntry(there, from);
  }

  /** Records that the job goes there. */
  void facts(Context c, Decision decision) {
    JobSpec spec = job.getSpec();
    if (spec.getQueue().equals(from)) {
      return;
    }
    long rank = c.numbers().getNextRank();
    decision.fact(new JobMoved(c.stamp(), job.getId(), from, spec.getQueue(), rank, null));
    JobSpec asked = c.job(job.getId()).getSpec();
    if (!spec.equals(Copies.inQueue(asked, spec.getQueue()))) {
      decision.fact(new JobAltered(c.stamp(), job.getId(), spec, "Resource_List", null));
    }
  }
}
