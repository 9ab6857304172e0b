package io.millrace.server.core.job.accrue;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reason;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;

/** Keeps PBS's accrue_type and eligible_time of jobs up to date with each change of a job. */
public final class Accruals {
  private static final long NEVER = -1;

  private Accruals() {}

  /** Since when eligible times are counted, milliseconds since 1970; negative when they are not. */
  private static long sinceMs(View view) {
    return Long.parseLong(
        Context.attribute(server(view), EligibleTime.COUNTED_SINCE, Long.toString(NEVER)));
  }

  private static ClusterObject server(View view) {
    return view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
  }

  /** Whether the times are shown, and may be set. */
  public static boolean enabled(View view) {
    return Context.attribute(server(view), EligibleTime.ENABLE, "False").equals("True");
  }

  /**
   * Adjusts {@code after}, which is about to replace {@code before} in the table.
   *
   * @param before null for a job that is new here
   * @param atMs the shard's time
   */
  static void follow(State state, Job before, Job after, long atMs) {
    long sinceMs = sinceMs(state);
    if (sinceMs < 0 || (before != null && unchanged(before, after))) {
      return;
    }
    long eligibleMs;
    if (before != null) {
      eligibleMs = EligibleTime.at(before, reason(state, before), sinceMs, atMs).eligibleMs();
    } else {
      eligibleMs = brought(state, after, sinceMs, atMs);
    }
    after.setAccrual(EligibleTime.from(after, eligibleMs, reason(state, after), sinceMs, atMs));
  }

  /** Sets the eligible time of a job, as qalter does. */
  public static void set(State state, Job job, long eligibleMs, long atMs) {
    long sinceMs = sinceMs(state);
    if (sinceMs < 0) {
      return;
    }
    Job after = Copies.of(job);
    after.setAccrual(EligibleTime.from(job, eligibleMs, reason(state, job), sinceMs, atMs));
    state.jobs().put(Keys.number(job.getNumber()), after);
  }

  /** A subjob that gets a record has waited for as long as its array. */
  private static long brought(State state, Job job, long sinceMs, long atMs) {
    if (job.getAccrual() == null && JobNumbers.isSubjob(job.getNumber())) {
      Job array = state.jobs().get(Keys.number(JobNumbers.array(job.getNumber())));
      if (array != null) {
        return EligibleTime.at(array, reason(state, array), sinceMs, atMs).eligibleMs();
      }
    }
    Accrual accrual = job.getAccrual();
    return accrual == null ? 0 : accrual.getEligibleMs();
  }

  /** The accrual with which a job is handed over to another shard; null for none. */
  public static Accrual settled(View view, Job job, long nowMs) {
    long sinceMs = sinceMs(view);
    return sinceMs < 0
        ? job.getAccrual()
        : new Accrual(
            AccrueType.INITIAL,
            nowMs,
            EligibleTime.at(job, reason(view, job), sinceMs, nowMs).eligibleMs(),
            0L);
  }

  private static boolean unchanged(Job before, Job after) {
    boolean sameClass = EligibleTime.inClass(before) == EligibleTime.inClass(after);
    return before.getAccrual() != null
        && before.getAccrual().getType() == EligibleTime.type(after)
        && sameClass
        && (!EligibleTime.inClass(after) || sameRequest(before, after));
  }

  private static boolean sameRequest(Job before, Job after) {
    return before.getSpec() == after.getSpec()
        || EligibleTime.classKey(before).equals(EligibleTime.classKey(after));
  }

  /** The reason that the scheduler last recorded for the job's class; null for none. */
  private static Reason reason(View view, Job job) {
    if (!EligibleTime.inClass(job)) {
      return null;
    }
    ClusterObject queue = PartitionTable.queue(view, job.getSpec().getQueue());
    String scheduler =
        queue == null ? "" : PartitionTable.schedulerOf(view, PartitionTable.partitionOf(queue));
    return scheduler.isEmpty()
        ? null
        : view.reasons().get(Keys.reason(scheduler, EligibleTime.classKey(job)));
  }

  /** The record of a class's reason as a cycle reported it. */
  public static Reason noted(State state, String scheduler, ClassReason reason, long atMs) {
    long sinceMs = sinceMs(state);
    if (sinceMs < 0) {
      return new Reason(scheduler, reason, null);
    }
    Reason before = state.reasons().get(Keys.reason(scheduler, reason.getClassKey()));
    return new Reason(scheduler, reason, EligibleTime.noted(before, sinceMs, atMs));
  }

  /**
   * For how long a job has waited for resources by now, milliseconds; -1 where it is not to be
   * told.
   */
  public static long eligibleMs(View view, Job job, long nowMs) {
    return enabled(view)
        ? EligibleTime.at(job, reason(view, job), sinceMs(view), nowMs).eligibleMs()
        : NEVER;
  }
}
