package io.millrace.schedulers.engine.accrue;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.WaitedTime;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.avro.specific.SpecificRecord;

/**
 * For how long jobs have waited for resources, by the same facts and the same rules as in the
 * records of the shard. Where eligible times are not counted nothing is kept.
 */
public final class EligibleTimes implements WaitedTime {

  private static final long NEVER = -1;
  private static final long SECOND_MS = 1000;
  private static final long NO_JOB = -1;
  private static final String JOB_ID = "job_id";

  /** Holds of a job that has none. */
  private static final String NO_HOLDS = "n";

  private static final Set<Class<?>> OF_RUNS =
      Set.of(RunSuspended.class, RunResumed.class, RunRequeued.class);

  /** Facts after which the time of a job may count as something else. */
  private static final Set<Class<?>> CHANGES =
      Set.of(
          JobHeld.class,
          JobReleased.class,
          JobAltered.class,
          JobDepends.class,
          JobMoved.class,
          JobReordered.class,
          RunGranted.class,
          RunSuspended.class,
          RunResumed.class,
          RunRequeued.class);

  private static final Set<Class<?>> GONE =
      Set.of(JobDeleted.class, RunFinished.class, JobPurged.class, JobHandedOver.class);

  private final String scheduler;

  /** Canonical text of the class of a job, as the followers of the same facts have it. */
  private final LongFunction<String> classKey;

  private final Map<Long, CountedJob> jobs = new HashMap<>();

  /** Reasons of the classes that are or were at a limit. */
  private final Map<String, Reason> limited = new HashMap<>();

  private long sinceMs = NEVER;
  private boolean shown;

  /**
   * What is known of a job; one that waits and has not changed since times are counted has none.
   */
  private static final class CountedJob {
    private Accrual accrual;
    private String holds = NO_HOLDS;
    private boolean dependent;
    private AccrueType running = AccrueType.INITIAL;

    private boolean waits() {
      return running == AccrueType.INITIAL && holds.equals(NO_HOLDS);
    }

    private AccrueType type() {
      return running == AccrueType.INITIAL ? EligibleTime.waiting(holds, dependent) : running;
    }
  }

  /**
   * @param classKey of a job by its number; empty for one that is not known
   */
  public EligibleTimes(String scheduler, LongFunction<String> classKey) {
    this.scheduler = scheduler;
    this.classKey = classKey;
  }

  @Override
  public long seconds(long job, long atMs) {
    return shown ? Math.floorDiv(eligibleMs(job, atMs), SECOND_MS) : 0;
  }

  private long eligibleMs(long number, long atMs) {
    CountedJob job = jobs.get(number);
    Accrual accrual = job == null ? unchanged() : job.accrual;
    boolean waits = job == null || job.waits();
    return EligibleTime.eligibleMs(accrual, waits, reason(number, waits), sinceMs, atMs);
  }

  private Accrual unchanged() {
    return new Accrual(AccrueType.ELIGIBLE, sinceMs, 0L, 0L);
  }

  private Reason reason(long number, boolean waits) {
    return !waits || limited.isEmpty() ? null : limited.get(classKey.apply(number));
  }

  /** A cluster object was written. */
  public void written(ClusterObject object) {
    if (object.getKind() == ObjectKind.SERVER) {
      sinceMs = ObjectAttributes.number(object, EligibleTime.COUNTED_SINCE, NEVER);
      shown = ObjectAttributes.text(object, EligibleTime.ENABLE, "False").equals("True");
    }
  }

  /** A job of a snapshot, after the server object. */
  public void job(Job record) {
    if (sinceMs < 0) {
      return;
    }
    CountedJob job = known(record);
    Accrual accrual = record.getAccrual();
    if (accrual == null || accrual.getType() == AccrueType.INITIAL) {
      long before = accrual == null ? 0 : accrual.getEligibleMs();
      long fromMs = Math.max(sinceMs, record.getCreatedMs());
      accrual = new Accrual(job.type(), fromMs, before, 0L);
    }
    job.accrual = accrual;
    jobs.put(record.getNumber(), job);
  }

  /** Why a class waits, of a snapshot, after the server object. */
  public void reason(Reason record) {
    boolean was = record.getLimits() != null && record.getLimits().getLimitedMs() > 0;
    boolean counts = sinceMs >= 0 && (was || EligibleTime.limited(record.getReason()));
    if (counts && record.getScheduler().equals(scheduler)) {
      limited.put(record.getReason().getClassKey(), record);
    }
  }

  private static CountedJob known(Job record) {
    CountedJob job = new CountedJob();
    job.holds = record.getHolds();
    job.dependent = EligibleTime.isDependent(record);
    if (record.getStatus() == JobStatus.RUNNING || record.getStatus() == JobStatus.EXITING) {
      job.running =
          record.getSuspension() == Suspension.NONE ? AccrueType.RUN : AccrueType.ELIGIBLE;
    }
    return job;
  }

  /**
   * Follows a fact.
   *
   * @param others have all others follow it, by whom the class of a job may become another
   */
  public void follow(SpecificRecord fact, Runnable others) {
    long number = sinceMs < 0 ? NO_JOB : number(fact);
    if (number == NO_JOB) {
      others.run();
    } else {
      long atMs = Envelope.ofFact(fact).getAtMs();
      long eligibleMs = brought(fact, number, atMs);
      CountedJob job = changed(fact, jobs.get(number));
      others.run();
      long limitedMs =
          job.waits() ? EligibleTime.limitedMs(reason(number, true), sinceMs, atMs) : 0;
      job.accrual = new Accrual(job.type(), atMs, eligibleMs, limitedMs);
      jobs.put(number, job);
    }
    forget(fact);
    reasons(fact);
  }

  /** The job whose time may count as something else from now on. */
  private static long number(SpecificRecord fact) {
    Job record = record(fact);
    if (record != null) {
      return record.getNumber();
    }
    return CHANGES.contains(fact.getClass()) ? JobNumbers.of(id(fact)) : NO_JOB;
  }

  /** The job that has come with a fact; null for none. */
  private static Job record(SpecificRecord fact) {
    return fact instanceof JobQueued queued
        ? queued.getJob()
        : fact instanceof JobAccepted accepted ? accepted.getJob() : null;
  }

  private static String id(SpecificRecord fact) {
    return fact.get(fact.getSchema().getField(JOB_ID).pos()).toString();
  }

  /** What a job has waited so far; a subjob as long as its array. */
  private long brought(SpecificRecord fact, long number, long atMs) {
    if (fact instanceof JobAltered altered && altered.getEligibleMs() != null) {
      return altered.getEligibleMs();
    }
    Job record = record(fact);
    if (record == null) {
      boolean counts = jobs.containsKey(number) || waitedUntil(fact);
      return counts ? eligibleMs(number, atMs) : 0;
    }
    if (record.getAccrual() == null && JobNumbers.isSubjob(number)) {
      return eligibleMs(JobNumbers.array(number), atMs);
    }
    return record.getAccrual() == null ? 0 : record.getAccrual().getEligibleMs();
  }

  /** Whether a job of which nothing is known was one that waited for resources until a fact. */
  private static boolean waitedUntil(SpecificRecord fact) {
    if (fact instanceof JobReleased it) {
      return EligibleTime.waiting(it.getHolds() + it.getRemoved(), true) == AccrueType.ELIGIBLE;
    }
    return !OF_RUNS.contains(fact.getClass());
  }

  private static CountedJob changed(SpecificRecord fact, CountedJob before) {
    Job record = record(fact);
    CountedJob job = record != null ? known(record) : before == null ? new CountedJob() : before;
    if (fact instanceof JobHeld held) {
      job.holds = held.getHolds();
    } else if (fact instanceof JobReleased released) {
      job.holds = released.getHolds();
    } else if (fact instanceof JobDepends depends) {
      job.dependent = EligibleTime.isDependent(depends.getDepend());
    } else if (fact instanceof RunGranted || fact instanceof RunResumed) {
      job.running = AccrueType.RUN;
    } else if (fact instanceof RunSuspended) {
      job.running = AccrueType.ELIGIBLE;
    } else if (fact instanceof RunRequeued) {
      job.running = AccrueType.INITIAL;
    }
    return job;
  }

  private void forget(SpecificRecord fact) {
    if (GONE.contains(fact.getClass())) {
      jobs.remove(JobNumbers.of(id(fact)));
    } else if (fact instanceof SubjobsWithdrawn withdrawn) {
      long array = JobNumbers.of(withdrawn.getJobId());
      withdrawn.getIndices().forEach(index -> jobs.remove(JobNumbers.subjob(array, index)));
    }
  }

  /** Why classes wait, as this scheduler has said it and the shard has taken it. */
  private void reasons(SpecificRecord fact) {
    if (sinceMs >= 0
        && fact instanceof CycleRecorded cycle
        && cycle.getScheduler().equals(scheduler)) {
      long atMs = cycle.getMeta().getAtMs();
      cycle.getReasons().forEach(reason -> noted(reason, atMs));
      cycle.getCleared().forEach(limited::remove);
    }
  }

  private void noted(ClassReason reason, long atMs) {
    Reason before = limited.get(reason.getClassKey());
    if (before != null || EligibleTime.limited(reason)) {
      limited.put(
          reason.getClassKey(),
          new Reason(scheduler, reason, EligibleTime.noted(before, sinceMs, atMs)));
    }
  }
}
