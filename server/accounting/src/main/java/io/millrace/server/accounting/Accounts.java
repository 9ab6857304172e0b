package io.millrace.server.accounting;

import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
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
final class Accounts {

  private interface Change<F> {
    void follow(int shard, FactMeta meta, F fact);
  }

  private final AccountBook book;
  private final DayFiles files;
  private final AccountLine line;
  private final Map<Class<?>, Change<SpecificRecord>> byFact = new HashMap<>();
  private final Map<String, ClusterObject> custom;
  private ResourceTable resources;

  Accounts(AccountBook book, DayFiles files, ZoneId zone) {
    this.book = book;
    this.files = files;
    this.line = new AccountLine(zone);
    this.custom = book.resources();
    this.resources = ResourceTable.of(custom.values());
    jobs();
    runs();
    on(ObjectWritten.class, (shard, meta, fact) -> written(fact.getObject()));
  }

  /** Facts of one shard have to come in their order. */
  void follow(int shard, SpecificRecord fact) {
    Change<SpecificRecord> change = byFact.get(fact.getClass());
    if (change != null) {
      change.follow(shard, (FactMeta) fact.get(0), fact);
    }
  }

  private void jobs() {
    on(JobQueued.class, (shard, meta, fact) -> queued(shard, meta, slim(fact.getJob())));
    on(JobAccepted.class, (shard, meta, fact) -> queued(shard, meta, slim(fact.getJob())));
    onJob(JobMoved.class, JobMoved::getJobId, (job, meta, fact) -> moved(job, meta, fact));
    onJob(
        JobAltered.class,
        JobAltered::getJobId,
        (job, meta, fact) -> job.setSpec(slim(fact.getSpec())));
    onJob(JobHeld.class, JobHeld::getJobId, (job, meta, fact) -> held(job, fact));
    onJob(JobReleased.class, JobReleased::getJobId, (job, meta, fact) -> released(job, meta, fact));
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
                  ? line.deleted(meta.getAtMs(), job, by)
                  : line.aborted(meta.getAtMs(), job, fact.getWhy()));
        });
  }

  private void runs() {
    onJob(RunGranted.class, RunGranted::getJobId, (job, meta, fact) -> granted(job, meta, fact));
    onJob(
        RunStarted.class,
        RunStarted::getJobId,
        (job, meta, fact) -> began(job, meta, fact.getSessionId(), fact.getStartedMs()));
    onJob(
        RunKillRequested.class,
        RunKillRequested::getJobId,
        (job, meta, fact) -> {
          if (fact.getPurpose() == KillPurpose.DELETE) {
            files.add(meta.getAtMs(), line.deleted(meta.getAtMs(), job, fact.getBy()));
          }
        });
    onJob(
        RunSuspended.class,
        RunSuspended::getJobId,
        (job, meta, fact) ->
            files.add(meta.getAtMs(), line.suspended(meta.getAtMs(), job, fact.getRanMs())));
    onJob(
        RunResumed.class,
        RunResumed::getJobId,
        (job, meta, fact) -> files.add(meta.getAtMs(), line.resumed(meta.getAtMs(), job)));
    onJob(RunRequeued.class, RunRequeued::getJobId, (job, meta, fact) -> requeued(job, meta, fact));
    onEnd(
        RunFinished.class,
        RunFinished::getJobId,
        (job, meta, fact) -> {
          if (job.getAllocation() == null) {
            return;
          }
          if (job.getRunCount() < job.getRun() && fact.getStartedMs() > 0) {
            // The report of the start was lost; the one of the end proves it.
            began(job, meta, 0, fact.getStartedMs());
          }
          files.add(
              meta.getAtMs(),
              line.ended(meta.getAtMs(), job, fact.getExitStatus(), fact.getUsed()));
        });
  }

  private void queued(int shard, FactMeta meta, Job job) {
    files.add(meta.getAtMs(), line.queued(meta.getAtMs(), job));
    book.put(shard, job);
  }

  private void moved(Job job, FactMeta meta, JobMoved fact) {
    job.getSpec().setQueue(fact.getQueue());
    job.setQueuedMs(meta.getAtMs());
    files.add(meta.getAtMs(), line.queued(meta.getAtMs(), job));
  }

  private static void held(Job job, JobHeld fact) {
    job.setHolds(fact.getHolds());
    if (job.getStatus() == JobStatus.QUEUED) {
      job.setStatus(JobStatus.HELD);
      job.setEligibleMs(-1L);
    }
  }

  private static void released(Job job, FactMeta meta, JobReleased fact) {
    job.setHolds(fact.getHolds());
    if (job.getStatus() == JobStatus.HELD && fact.getHolds().equals("n")) {
      job.setStatus(JobStatus.QUEUED);
      job.setEligibleMs(meta.getAtMs());
    }
  }

  private static void granted(Job job, FactMeta meta, RunGranted fact) {
    job.setStatus(JobStatus.RUNNING);
    job.setRun(fact.getRun());
    job.setAllocation(fact.getAllocation());
    job.setSessionId(0L);
    job.setStartedMs(meta.getAtMs());
  }

  private void began(Job job, FactMeta meta, long session, long startedMs) {
    if (job.getAllocation() == null) {
      // The ledger does not tell of the grant.
      return;
    }
    // Here: number of the last run whose start was told.
    job.setRunCount(job.getRun());
    job.setSessionId(session);
    job.setStartedMs(startedMs);
    files.add(meta.getAtMs(), line.started(meta.getAtMs(), job, resources));
  }

  private void requeued(Job job, FactMeta meta, RunRequeued fact) {
    if (job.getAllocation() != null) {
      files.add(meta.getAtMs(), line.requeued(meta.getAtMs(), job, fact.getExitStatus()));
    }
    boolean held = !job.getHolds().equals("n");
    job.setStatus(held ? JobStatus.HELD : JobStatus.QUEUED);
    job.setEligibleMs(held ? -1L : meta.getAtMs());
    job.setAllocation(null);
    job.setSessionId(0L);
    job.setStartedMs(-1L);
  }

  /** Where the ledger was cut, a snapshot tells of what was there. */
  void known(int shard, SnapshotRecord record) {
    Job job = record.getJob();
    if (job != null
        && job.getStatus() != JobStatus.FINISHED
        && book.job(shard, job.getNumber()) == null) {
      // Not the number of starts: an earlier run may never have started.
      job.setRunCount(job.getSessionId() == 0 ? job.getRun() - 1 : job.getRun());
      book.put(shard, slim(job));
    }
    if (record.getObject() != null) {
      written(record.getObject());
    }
  }

  private void written(ClusterObject object) {
    if (object.getKind() == ObjectKind.RESOURCE
        && !object.equals(custom.put(object.getName(), object))) {
      book.resource(object);
      resources = ResourceTable.of(custom.values());
    }
  }

  /** Without what no line shows: environments are long. */
  private static Job slim(Job job) {
    job.setEvents(List.of());
    slim(job.getSpec());
    return job;
  }

  private static JobSpec slim(JobSpec spec) {
    spec.setVariables(List.of());
    spec.setArgv(List.of());
    spec.setSubmitArguments("");
    spec.setGridEngine(null);
    return spec;
  }

  private interface JobChange<F> {
    void follow(Job job, FactMeta meta, F fact);
  }

  private <F extends SpecificRecord> void on(Class<F> type, Change<F> change) {
    byFact.put(type, (shard, meta, fact) -> change.follow(shard, meta, type.cast(fact)));
  }

  private <F extends SpecificRecord> void onJob(
      Class<F> type, Function<F, String> jobOf, JobChange<F> change) {
    on(
        type,
        (shard, meta, fact) -> {
          Job job = book.job(shard, number(jobOf.apply(fact)));
          if (job != null) {
            change.follow(job, meta, fact);
            book.put(shard, job);
          }
        });
  }

  /** The job is over here with this fact. */
  private <F extends SpecificRecord> void onEnd(
      Class<F> type, Function<F, String> jobOf, JobChange<F> change) {
    on(
        type,
        (shard, meta, fact) -> {
          Job job = book.job(shard, number(jobOf.apply(fact)));
          if (job != null) {
            change.follow(job, meta, fact);
            book.remove(shard, job.getNumber());
          }
        });
  }

  private static long number(String jobId) {
    return Long.parseLong(jobId.substring(0, jobId.indexOf('.')));
  }
}
