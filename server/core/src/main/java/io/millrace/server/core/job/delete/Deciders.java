package io.millrace.server.core.job.delete;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.Away;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Refused;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.job.array.Arrays;
import io.millrace.server.core.job.array.Deletion;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.array.Wish;
import io.millrace.server.core.job.depend.Dependents;
import io.millrace.server.core.job.depend.JobEnd;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.run.grant.Charge;
import io.millrace.server.core.run.grant.Orders;
import io.millrace.server.core.run.lost.LostRuns;
import java.util.List;

/** Decides deletions. */
public final class Deciders {
  /** Exit status of a job that somebody ended: 256 + SIGTERM, as PBS shows it. */
  public static final int EXIT_TERMINATED = 271;

  public Decision decide(Context c, DeleteJob command) {
    long number = Keys.jobNumber(command.getJobId());
    boolean recorded = number < 0 || c.view().jobs().get(Keys.number(number)) != null;
    Decision unbegun = recorded ? null : Deletion.one(c, number, command);
    if (unbegun != null) {
      return unbegun;
    }
    Decision away = Away.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (Arrays.is(job) && job.getStatus() != JobStatus.FINISHED) {
      if (command.getPurgeHistory()) {
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
          // Its history is not yet complete: there is nothing to forget before the run's end.
          command.getPurgeHistory()
              ? Decision.rejected(c, PbsError.BAD_STATE)
              : running(c, job, Wish.of(c, command));
      case QUEUED, HELD -> waiting(c, job, command);
      case TRANSIT -> throw new IllegalStateException("a job in transit is away");
    };
  }

  /**
   * Its scheduler may give up only a job that is to start at once or not at all, and neither one
   * that has run nor one that runs meanwhile.
   */
  public Decision decide(Context c, RejectJob command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (job.getStatus() != JobStatus.QUEUED
        || job.getRun() > 0
        || job.getSpec().getGridEngine() == null
        || !job.getSpec().getGridEngine().getImmediate()) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!Charge.of(c, job, command.getScheduler())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Decision decision = Decision.done(c);
    decision.fact(new JobDeleted(c.stamp(), job.getId(), 0, "", command.getWhy(), false));
    Dependents.ended(c, job, JobEnd.impossible(), decision);
    return decision;
  }

  private static Decision array(Context c, Job array, DeleteJob command) {
    Decision decision = Decision.done(c);
    Wish wish = Wish.of(c, command);
    List<IndexSteps> which = command.getSubjobs();
    try {
      if (which.isEmpty()) {
        Deletion.all(c, array, wish, "", decision);
      } else {
        Deletion.some(c, array, which, wish, decision);
      }
    } catch (Refused e) {
      return Decision.rejected(c, e);
    }
    return decision;
  }

  private static Decision finished(Context c, Job job, boolean purge) {
    if (!purge) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    Decision decision = Decision.done(c);
    if (Arrays.is(job)) {
      decision.tell(c.shard(), new Continue(c.asShard(), Deletion.PURGE, job.getId()));
    } else {
      Purge.purge(c, job, decision);
    }
    return decision;
  }

  private static Decision waiting(Context c, Job job, DeleteJob command) {
    Decision decision = Decision.done(c);
    Wish wish = Wish.of(c, command);
    decision.fact(
        new JobDeleted(c.stamp(), job.getId(), EXIT_TERMINATED, wish.by(), "", wish.quiet()));
    Dependents.ended(c, job, JobEnd.ofWaiting(job, EXIT_TERMINATED), decision);
    Window.ended(c, job, EXIT_TERMINATED, decision);
    if (command.getPurgeHistory()) {
      Purge.purge(c, job, decision);
    }
    return decision;
  }

  private static Decision running(Context c, Job job, Wish wish) {
    Decision decision = Decision.done(c);
    if (job.getKilling() != KillPurpose.DELETE) {
      decision.fact(
          new RunKillRequested(
              c.stamp(), job.getId(), job.getRun(), KillPurpose.DELETE, wish.by(), wish.quiet()));
    }
    if (wish.force()) {
      LostRuns.force(c, job, decision);
    }
    // Said again each time somebody asks: the order may have met an executor that was gone.
    return Orders.kill(c, job, decision);
  }
}
