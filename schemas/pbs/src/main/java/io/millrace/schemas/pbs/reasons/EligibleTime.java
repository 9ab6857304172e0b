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

/**
 * For how long a job has waited for nothing but resources: PBS's eligible_time, and accrue_type.
 *
 * <p>A job's record says what its time has counted as since when, and changes only with the job.
 * That it waits at a limit of its user, group or project is said once for its whole class, by the
 * class's clock. So nothing is written while jobs wait, and no matter who asks when, the answer
 * follows from what the shard has written down and the time that is asked for.
 */
public final class EligibleTime {

  /** Attribute of the server: whether the times are shown and may be set. */
  public static final String ENABLE = "eligible_time_enable";

  /**
   * Attribute of the server object that nobody sees: milliseconds since 1970 when times were first
   * asked for. From then on they are counted, whether they are shown or not.
   */
  public static final String COUNTED_SINCE = "eligible_time_counted_since";

  private EligibleTime() {}

  /**
   * What is shown of a job.
   *
   * @param eligibleMs for how long it has waited for resources, milliseconds
   */
  public record Shown(AccrueType type, long eligibleMs) {}

  /** What the job's time counts as, but for limits. */
  public static AccrueType type(Job job) {
    return switch (job.getStatus()) {
      case RUNNING -> job.getSuspension() == Suspension.NONE ? AccrueType.RUN : AccrueType.ELIGIBLE;
      case EXITING, FINISHED -> AccrueType.EXIT;
      case QUEUED, HELD, TRANSIT -> waiting(job);
    };
  }

  /** As in PBS a hold of an operator is no fault of the job's owner. */
  private static AccrueType waiting(Job job) {
    String holds = job.getHolds();
    boolean own = holds.indexOf('u') >= 0 || holds.indexOf('w') >= 0;
    boolean others =
        holds.indexOf('s') >= 0 && job.getDepend().stream().anyMatch(EligibleTime::open);
    return own || others || begun(job.getArray()) ? AccrueType.INELIGIBLE : AccrueType.ELIGIBLE;
  }

  private static boolean open(Dependency dependency) {
    return dependency.getCount() > 0 || !dependency.getJobs().isEmpty();
  }

  /** Whether it is an array all of whose subjobs have begun. */
  private static boolean begun(ArrayState array) {
    return array != null
        && array.getLeft().isEmpty()
        && array.getWaiting().isEmpty()
        && !array.getBegun().isEmpty();
  }

  /** Whether the job is one of those of its class that its scheduler looks at. */
  public static boolean inClass(Job job) {
    return job.getStatus() == JobStatus.QUEUED
        && job.getRoute() == null
        && type(job) == AccrueType.ELIGIBLE;
  }

  /** Key of the reason whose clock counts for a job. */
  public static String classKey(Job job) {
    return RequestClass.ownKey(job.getSpec());
  }

  /**
   * Whether a class waits at a limit of a user, group or project, or is under the threshold of a
   * formula, and does not wait for resources.
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
   * For how long a class had waited at such limits by a time, milliseconds.
   *
   * @param reason null when nothing is said of the class
   * @param sinceMs from when on times are counted
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

  /** The clock of a class of which something new is said. */
  public static LimitClock noted(Reason before, long sinceMs, long atMs) {
    LimitClock clock = before == null ? null : before.getLimits();
    long begunMs = before == null ? atMs : clock == null ? sinceMs : clock.getBegunMs();
    return new LimitClock(begunMs, atMs, limitedMs(before, sinceMs, atMs));
  }

  /**
   * What a job's record is to say from now on.
   *
   * @param eligibleMs what was counted before
   * @param reason of its class, null for none
   */
  public static Accrual from(Job job, long eligibleMs, Reason reason, long sinceMs, long atMs) {
    long limitedMs = inClass(job) ? limitedMs(reason, sinceMs, atMs) : 0;
    return new Accrual(type(job), atMs, eligibleMs, limitedMs);
  }

  /**
   * @param reason of its class, null for none
   * @param sinceMs from when on times are counted
   */
  public static Shown at(Job job, Reason reason, long sinceMs, long atMs) {
    Accrual accrual = job.getAccrual();
    if (accrual == null || accrual.getType() == AccrueType.INITIAL) {
      // Nothing has happened to it since times are counted.
      long before = accrual == null ? 0 : accrual.getEligibleMs();
      accrual = from(job, before, null, sinceMs, Math.max(sinceMs, job.getCreatedMs()));
    }
    long eligibleMs = accrual.getEligibleMs();
    boolean waits = inClass(job);
    if (accrual.getType() == AccrueType.ELIGIBLE) {
      long limitedMs = waits ? limitedSince(accrual, reason, sinceMs, atMs) : 0;
      eligibleMs += Math.max(0, atMs - accrual.getSinceMs() - limitedMs);
    }
    boolean limited = waits && reason != null && limited(reason.getReason());
    return new Shown(limited ? AccrueType.INELIGIBLE : accrual.getType(), eligibleMs);
  }

  private static long limitedSince(Accrual accrual, Reason reason, long sinceMs, long atMs) {
    LimitClock clock = reason == null ? null : reason.getLimits();
    // A class that was forgotten and came again has a clock that began anew.
    boolean anew = clock != null && clock.getBegunMs() > accrual.getSinceMs();
    long limitedMs = limitedMs(reason, sinceMs, atMs);
    return Math.max(0, anew ? limitedMs : limitedMs - accrual.getLimitedMs());
  }
}
