package io.millrace.server.accounting.account;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.ArrayEnded;
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
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.book.JobAccount;
import io.millrace.server.accounting.book.JobTexts;
import io.millrace.server.accounting.file.DayFiles;
import io.millrace.server.accounting.ledger.FactReader;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/**
 * What each fact means for the accounts: the lines that it gives, and the job as the next lines
 * need it. Facts about a job that the ledger does not tell the beginning of give no lines.
 */
public final class AccountWriter implements FactReader {

  private interface AccountChange<F> {
    void follow(int shard, FactMeta meta, F fact);
  }

  /** Holds of a job that has none. */
  private static final String FREE = "n";

  private final AccountBook book;
  private final DayFiles files;
  private final AccountLine line;
  private final Map<String, AccountChange<SpecificRecord>> byFact = new HashMap<>();
  private final Map<String, ClusterObject> custom;
  private ResourceTable resources;

  public AccountWriter(AccountBook book, DayFiles files, ZoneId zone) {
    this.book = book;
    this.files = files;
    this.line = new AccountLine(zone);
    this.custom = book.resources();
    this.resources = ResourceTable.of(custom.values());
    jobs();
    runs();
    on(ObjectWritten.class, (shard, meta, fact) -> written(fact.getObject()));
  }

  @Override
  public boolean tells(String fact) {
    return byFact.containsKey(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    AccountChange<SpecificRecord> change = byFact.get(fact.getSchema().getName());
    if (change != null) {
      change.follow(shard, Envelope.ofFact(fact), fact);
    }
  }

  private void jobs() {
    on(
        JobQueued.class,
        (shard, meta, fact) -> queued(shard, meta, fact.getJob(), fact.getBefore()));
    on(JobAccepted.class, this::accepted);
    onJob(JobMoved.class, JobMoved::getJobId, (job, meta, fact) -> moved(job, meta, fact));
    onJob(
        JobReordered.class,
        JobReordered::getJobId,
        (job, meta, fact) -> exchanged(job, meta, fact));
    onJob(JobAltered.class, JobAltered::getJobId, this::altered);
    onJob(JobHeld.class, JobHeld::getJobId, (job, meta, fact) -> held(job, fact));
    onJob(JobReleased.class, JobReleased::getJobId, (job, meta, fact) -> released(job, meta, fact));
    onJob(
        JobDepends.class,
        JobDepends::getJobId,
        (job, meta, fact) ->
            job.waiting(
                job.waiting().depend(JobTexts.depend(job.id(), fact.getDepend(), List.of()))));
    onJob(ArrayCut.class, ArrayCut::getJobId, this::cut);
    onEnd(
        ArrayEnded.class,
        ArrayEnded::getJobId,
        (job, meta, fact) -> {
          if (job.array() != null && job.array().startedMs() >= 0) {
            files.add(
                meta.getAtMs(),
                line.arrayEnded(meta.getAtMs(), job, fact.getExitStatus(), fact.getEligibleMs()));
          }
        });
    on(
        SubjobsWithdrawn.class,
        (shard, meta, fact) -> {
          long array = number(fact.getJobId());
          fact.getIndices().forEach(index -> book.remove(shard, JobNumbers.subjob(array, index)));
        });
    onEnd(JobHandedOver.class, JobHandedOver::getJobId, (job, meta, fact) -> {});
    onEnd(JobPurged.class, JobPurged::getJobId, (job, meta, fact) -> {});
    onEnd(
        JobDeleted.class,
        JobDeleted::getJobId,
        (job, meta, fact) -> {
          String by = fact.getBy().isEmpty() ? meta.getPrincipal() : fact.getBy();
          files.add(
              meta.getAtMs(),
              fact.getWhy().isEmpty()
                  ? line.deleted(meta.getAtMs(), job.id(), by)
                  : line.aborted(meta.getAtMs(), job, fact.getWhy()));
        });
  }

  private void runs() {
    onJob(RunGranted.class, RunGranted::getJobId, (job, meta, fact) -> granted(job, meta, fact));
    on(RunStarted.class, this::started);
    onJob(
        RunKillRequested.class,
        RunKillRequested::getJobId,
        (job, meta, fact) -> {
          if (fact.getPurpose() == KillPurpose.DELETE) {
            files.add(meta.getAtMs(), line.deleted(meta.getAtMs(), job.id(), fact.getBy()));
          }
          return job;
        });
    onJob(
        RunPreempted.class,
        RunPreempted::getJobId,
        (job, meta, fact) -> {
          files.add(
              meta.getAtMs(),
              line.preempted(meta.getAtMs(), job.id(), fact.getForJob(), fact.getAgain()));
          return job;
        });
    onJob(
        RunSuspended.class,
        RunSuspended::getJobId,
        (job, meta, fact) -> {
          files.add(meta.getAtMs(), line.suspended(meta.getAtMs(), job, fact.getRanMs()));
          return job;
        });
    onJob(
        RunResumed.class,
        RunResumed::getJobId,
        (job, meta, fact) -> {
          files.add(meta.getAtMs(), line.resumed(meta.getAtMs(), job));
          return job;
        });
    onJob(RunRequeued.class, RunRequeued::getJobId, (job, meta, fact) -> requeued(job, meta, fact));
    on(RunFinished.class, this::finished);
  }

  private void queued(int shard, FactMeta meta, Job queued, List<Dependency> before) {
    JobAccount job = JobAccount.of(queued, resources);
    if (!before.isEmpty()) {
      String depend = JobTexts.depend(job.id(), queued.getDepend(), before);
      job = job.waiting(job.waiting().depend(depend));
    }
    if (!JobNumbers.isSubjob(queued.getNumber())) {
      files.add(meta.getAtMs(), line.queued(meta.getAtMs(), job));
    }
    book.put(shard, queued.getNumber(), job);
  }

  /** A job that came with its queue is where it was for everybody who reads accounts. */
  private void accepted(int shard, FactMeta meta, JobAccepted fact) {
    if (fact.getWithQueue()) {
      Job job = fact.getJob();
      book.put(shard, job.getNumber(), JobAccount.of(job, resources));
    } else {
      queued(shard, meta, fact.getJob(), List.of());
    }
  }

  private JobAccount altered(JobAccount job, FactMeta meta, JobAltered fact) {
    String changes = Alterations.of(job.requested(), fact);
    if (!changes.isEmpty()) {
      files.add(meta.getAtMs(), line.altered(meta.getAtMs(), job, changes));
    }
    return job.asked(fact.getSpec());
  }

  /** Subjobs that had not begun were deleted; of a whole array that is one line. */
  private JobAccount cut(JobAccount array, FactMeta meta, ArrayCut fact) {
    long atMs = meta.getAtMs();
    if (fact.getEnd()) {
      files.add(atMs, line.deleted(atMs, array.id(), fact.getBy()));
      return array;
    }
    long number = number(array.id());
    String server = array.id().substring(array.id().indexOf('.') + 1);
    for (IndexRange range : fact.getGone()) {
      for (int i = range.getFirst(); i <= range.getLast(); i += array.array().step()) {
        String subjob = JobNumbers.id(JobNumbers.subjob(number, i), server);
        files.add(atMs, line.deleted(atMs, subjob, fact.getBy()));
      }
    }
    return array;
  }

  /** An array begins with the first run of a subjob. */
  private void arrayBegins(int shard, long subjob, FactMeta meta, long startedMs) {
    long number = JobNumbers.array(subjob);
    JobAccount array = JobNumbers.isSubjob(subjob) ? book.job(shard, number) : null;
    if (array != null && array.array() != null && array.array().startedMs() < 0) {
      JobAccount begun = array.array(array.array().began(startedMs));
      files.add(meta.getAtMs(), line.arrayStarted(meta.getAtMs(), begun));
      book.put(shard, number, begun);
    }
  }

  /** One that runs goes into the queue of a reservation, and has waited when it did. */
  private JobAccount moved(JobAccount job, FactMeta meta, JobMoved fact) {
    long queuedMs = job.run() == null ? meta.getAtMs() : job.waiting().queuedMs();
    JobAccount moved = job.waiting(job.waiting().queue(fact.getQueue(), queuedMs));
    files.add(meta.getAtMs(), line.queued(meta.getAtMs(), moved));
    return moved;
  }

  /** Within a queue the order is nothing that accounts tell. */
  private JobAccount exchanged(JobAccount job, FactMeta meta, JobReordered fact) {
    if (fact.getQueue().equals(fact.getFromQueue())) {
      return job;
    }
    JobAccount moved = job.waiting(job.waiting().queue(fact.getQueue(), meta.getAtMs()));
    files.add(meta.getAtMs(), line.queued(meta.getAtMs(), moved));
    return moved;
  }

  private static JobAccount held(JobAccount job, JobHeld fact) {
    long eligible = job.run() == null ? -1 : job.waiting().eligibleMs();
    return job.waiting(job.waiting().holds(fact.getHolds(), eligible));
  }

  private static JobAccount released(JobAccount job, FactMeta meta, JobReleased fact) {
    boolean goes = job.run() == null && job.waiting().held() && fact.getHolds().equals(FREE);
    long eligible = goes ? meta.getAtMs() : job.waiting().eligibleMs();
    return job.waiting(job.waiting().holds(fact.getHolds(), eligible));
  }

  private JobAccount granted(JobAccount job, FactMeta meta, RunGranted fact) {
    String place = JobTexts.place(fact.getAllocation());
    String assigned = JobTexts.assigned(fact.getAllocation(), resources);
    return job.run(
        new JobAccount.RunAccount(fact.getRun(), place, assigned, 0, meta.getAtMs(), false));
  }

  private void started(int shard, FactMeta meta, RunStarted fact) {
    long number = number(fact.getJobId());
    JobAccount job = book.job(shard, number);
    if (job != null) {
      arrayBegins(shard, number, meta, fact.getStartedMs());
      book.put(shard, number, began(job, meta, fact.getSessionId(), fact.getStartedMs()));
    }
  }

  private JobAccount began(JobAccount job, FactMeta meta, long session, long startedMs) {
    if (job.run() == null) {
      // The ledger does not tell of the grant.
      return job;
    }
    JobAccount running = job.run(job.run().began(session, startedMs));
    files.add(meta.getAtMs(), line.started(meta.getAtMs(), running));
    return running;
  }

  private void finished(int shard, FactMeta meta, RunFinished fact) {
    long number = number(fact.getJobId());
    JobAccount job = book.job(shard, number);
    if (job == null) {
      return;
    }
    book.remove(shard, number);
    if (job.run() == null) {
      return;
    }
    JobAccount ran = job;
    if (!job.run().told() && fact.getStartedMs() > 0) {
      // The report of the start was lost; the one of the end proves it.
      arrayBegins(shard, number, meta, fact.getStartedMs());
      ran = began(job, meta, 0, fact.getStartedMs());
    }
    files.add(
        meta.getAtMs(),
        line.ended(
            meta.getAtMs(), ran, fact.getExitStatus(), fact.getUsed(), fact.getEligibleMs()));
  }

  private JobAccount requeued(JobAccount job, FactMeta meta, RunRequeued fact) {
    if (job.run() != null) {
      files.add(
          meta.getAtMs(),
          line.requeued(
              meta.getAtMs(), job, fact.getExitStatus(), fact.getUsed(), fact.getEligibleMs()));
    }
    JobAccount.WaitingAccount waiting = job.waiting();
    long eligible = waiting.holds().equals(FREE) ? meta.getAtMs() : -1;
    return job.run(null).waiting(waiting.holds(waiting.holds(), eligible));
  }

  /** Where the ledger was cut, a snapshot tells of what was there. */
  public void known(int shard, SpecificRecord record) {
    if (record instanceof Job job
        && job.getStatus() != JobStatus.FINISHED
        && book.job(shard, job.getNumber()) == null) {
      book.put(shard, job.getNumber(), JobAccount.of(job, resources));
    }
    if (record instanceof ClusterObject object) {
      written(object);
    }
  }

  private void written(ClusterObject object) {
    if (object.getKind() == ObjectKind.RESOURCE
        && !object.equals(custom.put(object.getName(), object))) {
      book.resource(object);
      resources = ResourceTable.of(custom.values());
    }
  }

  private interface JobChange<F> {
    JobAccount follow(JobAccount job, FactMeta meta, F fact);
  }

  private interface JobEndFollower<F> {
    void follow(JobAccount job, FactMeta meta, F fact);
  }

  private <F extends SpecificRecord> void on(Class<F> type, AccountChange<F> change) {
    byFact.put(
        type.getSimpleName(), (shard, meta, fact) -> change.follow(shard, meta, type.cast(fact)));
  }

  private <F extends SpecificRecord> void onJob(
      Class<F> type, Function<F, String> jobOf, JobChange<F> change) {
    on(
        type,
        (shard, meta, fact) -> {
          long number = number(jobOf.apply(fact));
          JobAccount job = book.job(shard, number);
          if (job != null) {
            JobAccount changed = change.follow(job, meta, fact);
            if (changed != job) {
              book.put(shard, number, changed);
            }
          }
        });
  }

  /** The job is over here with this fact. */
  private <F extends SpecificRecord> void onEnd(
      Class<F> type, Function<F, String> jobOf, JobEndFollower<F> change) {
    on(
        type,
        (shard, meta, fact) -> {
          long number = number(jobOf.apply(fact));
          JobAccount job = book.job(shard, number);
          if (job != null) {
            change.follow(job, meta, fact);
            book.remove(shard, number);
          }
        });
  }

  private static long number(String jobId) {
    long number = JobNumbers.of(jobId);
    if (number < 0) {
      throw new IllegalArgumentException("not an id of a job: " + jobId);
    }
    return number;
  }
}
