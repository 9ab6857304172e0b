package io.millrace.schemas.pbs.reasons;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.LimitClock;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import java.util.List;

/**
 * For how long a job has waited for nothing but resources: PBS's eligible_time, and accrue_type.
 *
 * <p>A job's record holds the present accrue_type and since when it holds, and changes only when
 * the job does. Time at a limit of the user, group or project is kept once for the whole class, in
 * the class's clock. So nothing is written while jobs wait, and the answer depends only on the
 * shard's records and the time that is asked about.
 */
public final class EligibleTime {

  /** Attribute of the server: whether the times are shown and may be set. */
  public static final String ENABLE = "eligible_time_enable";

  /**
   * Internal attribute of the server object: time in milliseconds since 1970 at which eligible
   * times were first enabled. They are counted from then on, shown or not.
   */
  public static final String COUNTED_SINCE = "eligible_time_counted_since";

  private EligibleTime() {}

  /**
   * accrue_type and eligible_time of a job as they are shown.
   *
   * @param eligibleMs for how long it has waited for resources, milliseconds
   */
  public record ShownEligibleTime(AccrueType type, long eligibleMs) {}

  /** accrue_type of a job, limits not considered. */
  public static AccrueType type(Job job) {
    return switch (job.getStatus()) {
      case RUNNING -> job.getSuspension() == Suspension.NONE ? AccrueType.RUN : AccrueType.ELIGIBLE;
      case EXITING, FINISHED -> AccrueType.EXIT;
      case QUEUED, HELD, TRANSIT -> waiting(job);
    };
  }

  /**
   * accrue_type of a waiting job. As in PBS, an operator's hold does not stop its eligible time.
   */
  private static AccrueType waiting(Job job) {
    return begun(job.getArray())
        ? AccrueType.INELIGIBLE
        : waiting(job.getHolds(), isDependent(job));
  }

  /**
   * accrue_type of a waiting job that is no array.
   *
   * @param dependent whether it waits for others while it has a hold of the system
   */
  public static AccrueType waiting(String holds, boolean dependent) {
    boolean own = holds.indexOf('u') >= 0 || holds.indexOf('w') >= 0;
    boolean others = holds.indexOf('s') >= 0 && dependent;
    return own || others ? AccrueType.INELIGIBLE : AccrueType.ELIGIBLE;
  }

  /** Whether a job waits for others. */
  public static boolean isDependent(Job job) {
    return isDependent(job.getDepend());
  }

  /** Whether a job with these dependencies waits for others. */
  public static boolean isDependent(List<Dependency> dependencies) {
    return dependencies.stream().anyMatch(EligibleTime::open);
  }

  private static boolean open(Dependency dependency) {
    return dependency.getCount() > 0 || !dependency.getJobs().isEmpty();
  }

  /** Whether all subjobs of an array have begun. */
  private static boolean begun(ArrayState array) {
    return array != null
        && array.getLeft().isEmpty()
        && array.getWaiting().isEmpty()
        && !array.getBegun().isEmpty();
  }

  /**
   * Whether the job waits in its class for the scheduler: queued, not in a routing queue, and
   * eligible.
   */
  public static boolean inClass(Job job) {
    return job.getStatus() == JobStatus.QUEUED
        && job.getRoute() == null
        && type(job) == AccrueType.ELIGIBLE;
  }

  /** Key of the class whose reason holds the limit clock for the job. */
  public static String classKey(Job job) {
    return RequestClass.ownKey(job.getSpec());
  }

  /**
   * Whether a class waits because of a limit of a user, group or project or because of the
   * formula's threshold, and not for resources.
   */
  public static boolean limited(ClassReason reason) {
    if (reason.getCode().equals(ReasonCode.UNDER_THRESHOLD.name())) {
      return true;
    }
    boolean limit =
        reason.getCode().equals(ReasonCode.RUN_LIMIT.name())
            || reason.getCode().equals(ReasonCode.RESOURCE_LIMIT.name());
    return limit
        && LimitSubject.parse(reason.getSubject())
            .filter(it -> !it.ofAvailable() && !it.entry().name().equals(LimitEntry.ALL))
            .isPresent();
  }

  /**
   * Milliseconds that a class had waited because of limits up to a time.
   *
   * @param reason the class's reason; null when it has none
   * @param sinceMs time from which eligible times are counted
   */
  public static long limitedMs(Reason reason, long sinceMs, long atMs) {
    if (reason == null) {
      return 0;
    }
    LimitClock clock = reason.getLimits();
    long notedMs = clock == null ? sinceMs : clock.getNotedMs();
    long before = clock == null ? 0 : clock.getLimitedMs();
    boolean now = limited(reason.getReason());
    return now ? before + Math.max(0, atMs - Math.max(notedMs, sinceMs)) : before;
  }

  /** The limit clock to record with a new reason of the class. */
  public static LimitClock noted(Reason before, long sinceMs, long atMs) {
    LimitClock clock = before == null ? null : before.getLimits();
    long begunMs = before == null ? atMs : clock == null ? sinceMs : clock.getBegunMs();
    return new LimitClock(begunMs, atMs, limitedMs(before, sinceMs, atMs));
  }

  /**
   * The accrual to record for a job from now on.
   *
   * @param eligibleMs eligible time counted so far
   * @param reason reason of its class; null for none
   */
  public static Accrual from(Job job, long eligibleMs, Reason reason, long sinceMs, long atMs) {
    long limitedMs = inClass(job) ? limitedMs(reason, sinceMs, atMs) : 0;
    return new Accrual(type(job), atMs, eligibleMs, limitedMs);
  }

  /**
   * @param reason reason of its class; null for none
   * @param sinceMs time from which eligible times are counted
   */
  public static ShownEligibleTime at(Job job, Reason reason, long sinceMs, long atMs) {
    Accrual accrual = job.getAccrual();
    if (accrual == null || accrual.getType() == AccrueType.INITIAL) {
      // The job has not changed since eligible times are counted.
      long before = accrual == null ? 0 : accrual.getEligibleMs();
      accrual = from(job, before, null, sinceMs, Math.max(sinceMs, job.getCreatedMs()));
    }
    boolean waits = inClass(job);
    long eligibleMs = eligibleMs(accrual, waits, reason, sinceMs, atMs);
    boolean limited = waits && reason != null && limited(reason.getReason());
    return new ShownEligibleTime(limited ? AccrueType.INELIGIBLE : accrual.getType(), eligibleMs);
  }

  /**
   * For how long a job has waited for resources, milliseconds.
   *
   * @param waits whether the job is {@link #inClass}
   * @param reason reason of its class; null for none
   */
  public static long eligibleMs(
      Accrual accrual, boolean waits, Reason reason, long sinceMs, long atMs) {
    if (accrual.getType() != AccrueType.ELIGIBLE) {
      return accrual.getEligibleMs();
    }
    long limitedMs = waits ? limitedSince(accrual, reason, sinceMs, atMs) : 0;
    return accrual.getEligibleMs() + Math.max(0, atMs - accrual.getSinceMs() - limitedMs);
  }

  private static long limitedSince(Accrual accrual, Reason reason, long sinceMs, long atMs) {
    LimitClock clock = reason == null ? null : reason.getLimits();
    // The class was forgotten and came again with a new clock.
    boolean anew = clock != null && clock.getBegunMs() > accrual.getSinceMs();
    long limitedMs = limitedMs(reason, sinceMs, atMs);
    return Math.max(0, anew ? limitedMs : limitedMs - accrual.getLimitedMs());
  }
}
