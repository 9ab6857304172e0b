package io.millrace.server.core.job.order;

import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.admission.QueueChanges;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.RoutingWork;

/** Decides exchanges of places. Like in PBS who may act on both jobs may exchange them. */
public final class Deciders {

  public Decision decide(Context c, ExchangeJobs command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job one = c.job(command.getJobId());
    if (JobNumbers.isSubjob(Keys.jobNumber(command.getOtherId()))) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    Job other = c.job(command.getOtherId());
    if (other == null || other.getStatus() == JobStatus.TRANSIT) {
      return Decision.rejected(c, PbsError.UNSUPPORTED, ": the jobs are in different shards");
    }
    PbsError refusal = refusal(c, one);
    refusal = refusal == null ? refusal(c, other) : refusal;
    if (refusal != null) {
      return Decision.rejected(c, refusal);
    }
    if (ArrayStates.is(one) || ArrayStates.is(other)) {
      String why = ": an array has a place for each of its subjobs";
      return Decision.rejected(c, PbsError.UNSUPPORTED, why);
    }
    if (one.getSpec().getGridEngine() != null || other.getSpec().getGridEngine() != null) {
      return Decision.rejected(c, PbsError.UNSUPPORTED, ": a job of Grid Engine's");
    }
    if (one.getNumber() == other.getNumber()) {
      return Decision.done(c);
    }
    try {
      Decision decision = Decision.done(c);
      take(c, one, other, decision);
      take(c, other, one, decision);
      return decision;
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private static PbsError refusal(Context c, Job job) {
    if (!c.mayActOn(job)) {
      return PbsError.UNAUTHORIZED;
    }
    if (JobNumbers.isSubjob(job.getNumber())) {
      return PbsError.INVALID_REQUEST;
    }
    return switch (job.getStatus()) {
      case QUEUED, HELD -> null;
      case FINISHED -> PbsError.JOB_FINISHED;
      case TRANSIT, RUNNING, EXITING -> PbsError.BAD_STATE;
    };
  }

  /** Puts one job in the place of the other, after the admission of that queue. */
  private static void take(Context c, Job job, Job place, Decision decision) throws PbsRefusal {
    String from = job.getSpec().getQueue();
    String to = place.getSpec().getQueue();
    if (from.equals(to)) {
      decision.fact(
          new JobReordered(c.stamp(), job.getId(), from, to, place.getRank(), job.getRoute()));
      return;
    }
    ClusterObject queue = PartitionTable.queue(c.view(), to);
    if (queue == null) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    int shard = PartitionTable.shardOf(c.view(), queue);
    if (shard >= 0 && shard != c.shard()) {
      // The queue is in another shard now, and its job is about to follow.
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": the jobs are in different shards");
    }
    JobSpec moved = Copies.inQueue(job.getSpec(), to);
    JobAdmission.AdmissionSource way = QueueChanges.moved(c, from, queue);
    JobSpec spec = new JobAdmission(c).admit(queue, moved, 1, way);
    Route route = RouteQueue.entered(queue, c.nowMs());
    decision.fact(new JobReordered(c.stamp(), job.getId(), from, to, place.getRank(), route));
    if (route != null) {
      RoutingWork.entered(c, job.getId(), decision);
    }
    if (!spec.equals(moved)) {
      decision.fact(new JobAltered(c.stamp(), job.getId(), spec, "Resource_List", null));
    }
  }
}
