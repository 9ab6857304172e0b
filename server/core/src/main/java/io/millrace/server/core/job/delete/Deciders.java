package io.millrace.server.core.job.delete;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.job.array.Deletion;
import io.millrace.server.core.job.array.DeletionRequest;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.placement.SchedulerScope;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.ForcedEnd;
import java.util.List;

/** Decides deletions. */
public final class Deciders {
  public Decision decide(Context c, DeleteJob command) {
    long number = Keys.jobNumber(command.getJobId());
    boolean recorded = number < 0 || c.view().jobs().get(Keys.number(number)) != null;
    Decision unbegun = recorded ? null : Deletion.one(c, number, command);
    if (unbegun != null) {
      return unbegun;
    }
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (ArrayStates.is(job) && job.getStatus() != JobStatus.FINISHED) {
      if (command.getPurgeHistory() || command.getWaitingOnly()) {
        return Decision.rejected(c, PbsError.BAD_STATE);
      }
      return array(c, job, command);
    }
    boolean subjob = JobNumbers.isSubjob(job.getNumber());
    if (subjob && job.getStatus() == JobStatus.FINISHED) {
      // Its history goes with that of its array.
      return Decision.rejected(c, PbsError.SUBJOB_FINISHED);
    }
    return switch (job.getStatus()) {
      case FINISHED -> finished(c, job, command.getPurgeHistory());
      case RUNNING, EXITING ->
          // Its history is not yet complete: there is nothing to forget before the run's end. And a
          // job that was to go because it waits does so no more.
          command.getPurgeHistory() || command.getWaitingOnly()
              ? Decision.rejected(c, PbsError.BAD_STATE)
              : running(c, job, DeletionRequest.of(c, command));
      case QUEUED, HELD -> waiting(c, job, command);
      case TRANSIT -> throw new IllegalStateException("a job in transit is away");
    };
  }

  /**
   * A scheduler may reject only a job that must start at once (-now y), and only while it waits and
   * has never run; one whose policy is Origin2000's, any of its jobs that wait and are not held.
   */
  public Decision decide(Context c, RejectJob command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (!mayBeRejected(c, job, command.getScheduler())) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!SchedulerScope.of(c, job, command.getScheduler())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Decision decision = Decision.done(c);
    decision.fact(new JobDeleted(c.stamp(), job.getId(), 0, "", command.getWhy(), false));
    Dependents.ended(c, job, JobEnd.impossible(), decision);
    return decision;
  }

  private static boolean mayBeRejected(Context c, Job job, String scheduler) {
    GridEngineRequest request = job.getSpec().getGridEngine();
    if (request != null) {
      return job.getStatus() == JobStatus.QUEUED && job.getRun() == 0 && request.getImmediate();
    }
    ClusterObject object = c.view().objects().get(Keys.object(ObjectKind.SCHEDULER, scheduler));
    boolean deletes = Context.attribute(object, "policy", "").equals(AttributeTable.ORIGIN2000);
    boolean waits = job.getStatus() == JobStatus.QUEUED;
    return deletes && waits && !ArrayStates.is(job) && !JobNumbers.isSubjob(job.getNumber());
  }

  /** Goes on with the deletion of the jobs of a reservation. */
  public Decision reservedJobs(Context c, Continue work) {
    return ReservedJobsEnd.go(c, work.getCursor(), false);
  }

  /** Goes on with the deletion of the runs of an occurrence of a reservation. */
  public Decision reservedRuns(Context c, Continue work) {
    return ReservedJobsEnd.go(c, work.getCursor(), true);
  }

  private static Decision array(Context c, Job array, DeleteJob command) {
    Decision decision = Decision.done(c);
    DeletionRequest request = DeletionRequest.of(c, command);
    List<IndexSteps> which = command.getSubjobs();
    try {
      if (which.isEmpty()) {
        Deletion.all(c, array, request, "", decision);
      } else {
        Deletion.some(c, array, which, request, decision);
      }
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
    return decision;
  }

  private static Decision finished(Context c, Job job, boolean purge) {
    if (!purge) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    Decision decision = Decision.done(c);
    if (ArrayStates.is(job)) {
      ArrayWork.purge(c, job.getId(), decision);
    } else {
      Purge.purge(c, job, decision);
    }
    return decision;
  }

  private static Decision waiting(Context c, Job job, DeleteJob command) {
    Decision decision = Decision.done(c);
    waiting(c, job, DeletionRequest.of(c, command), decision);
    if (command.getPurgeHistory()) {
      Purge.purge(c, job, decision);
    }
    return decision;
  }

  static void waiting(Context c, Job job, DeletionRequest request, Decision decision) {
    decision.fact(
        new JobDeleted(
            c.stamp(), job.getId(), ExitStatus.TERMINATED, request.by(), "", request.quiet()));
    Dependents.ended(c, job, JobEnd.ofWaiting(job, ExitStatus.TERMINATED), decision);
    SubjobWindow.ended(c, job, ExitStatus.TERMINATED, decision);
  }

  private static Decision running(Context c, Job job, DeletionRequest request) {
    return running(c, job, request, Decision.done(c));
  }

  static Decision running(Context c, Job job, DeletionRequest request, Decision decision) {
    if (job.getKilling() != KillPurpose.DELETE) {
      decision.fact(
          new RunKillRequested(
              c.stamp(),
              job.getId(),
              job.getRun(),
              KillPurpose.DELETE,
              request.by(),
              request.quiet()));
    }
    if (request.force()) {
      ForcedEnd.ask(c, job, decision);
    }
    // The order is sent again with each qdel: the executor may have been down the last time.
    return Orders.kill(c, job, decision);
  }
}
