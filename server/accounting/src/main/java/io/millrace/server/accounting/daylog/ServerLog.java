package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.DependencySatisfied;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunSignalled;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.accounting.book.UsageText;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import org.apache.avro.specific.SpecificRecord;

/** What the server's day log says of jobs, in PBS's words where it has some. */
public final class ServerLog implements FactReader {

  /** A job waits for its time; nobody has set that as a hold. */
  private static final String WAIT = "w";

  private final FactHandlers handlers = new FactHandlers();
  private final ServerLogLines lines;

  public ServerLog(ServerLogLines lines) {
    this.lines = lines;
    waiting();
    runs();
    ends();
  }

  private void waiting() {
    handlers.on(JobQueued.class, (shard, meta, fact) -> queued(meta, fact.getJob(), false));
    handlers.on(
        JobAccepted.class,
        (shard, meta, fact) -> {
          if (!fact.getWithQueue()) {
            queued(meta, fact.getJob(), true);
          }
        });
    handlers.on(
        JobMoved.class,
        (shard, meta, fact) ->
            job(meta, fact.getJobId(), request("Job moved to " + fact.getQueue(), meta)));
    handlers.on(
        JobAltered.class,
        (shard, meta, fact) -> job(meta, fact.getJobId(), request("Job Modified", meta)));
    handlers.on(
        JobHeld.class, (shard, meta, fact) -> holds(meta, fact.getJobId(), fact.getAdded(), "set"));
    handlers.on(
        JobReleased.class,
        (shard, meta, fact) -> holds(meta, fact.getJobId(), fact.getRemoved(), "released"));
    handlers.on(
        DependencySatisfied.class,
        (shard, meta, fact) -> {
          String server = lines.server(fact.getJobId());
          String on = JobNumbers.id(fact.getOn(), server);
          job(meta, fact.getJobId(), "Dependency on job " + on + " released.");
        });
  }

  private void runs() {
    handlers.on(
        RunGranted.class,
        (shard, meta, fact) ->
            job(
                meta,
                fact.getJobId(),
                "Job Run at request of "
                    + (fact.getScheduler().isEmpty() ? meta.getPrincipal() : "Scheduler")
                    + "@"
                    + lines.host()
                    + " on exec_vnode "
                    + fact.getAllocation().getExecVnode()));
    handlers.on(
        RunSignalled.class,
        (shard, meta, fact) ->
            job(
                meta,
                fact.getJobId(),
                "Job signaled with " + fact.getSignal() + " at request of " + fact.getBy()));
    handlers.on(
        RunSuspended.class,
        (shard, meta, fact) ->
            job(meta, fact.getJobId(), "Job suspended at request of " + fact.getBy()));
    handlers.on(
        RunResumed.class,
        (shard, meta, fact) ->
            job(meta, fact.getJobId(), "Job resumed at request of " + fact.getBy()));
    handlers.on(
        RunRequeued.class,
        (shard, meta, fact) ->
            job(
                meta,
                fact.getJobId(),
                "Job requeued, Exit_status=" + fact.getExitStatus() + ", " + fact.getWhy()));
  }

  private void ends() {
    handlers.on(RunFinished.class, (shard, meta, fact) -> finished(meta, fact));
    handlers.on(
        ArrayEnded.class,
        (shard, meta, fact) ->
            lines.job(
                meta, Event.JOB_USAGE, fact.getJobId(), "Exit_status=" + fact.getExitStatus()));
    handlers.on(
        RunKillRequested.class,
        (shard, meta, fact) -> {
          boolean delete = fact.getPurpose() == KillPurpose.DELETE;
          String what = delete ? "Job to be deleted" : "Job Rerun";
          job(meta, fact.getJobId(), what + " at request of " + fact.getBy());
        });
    handlers.on(
        RunPreempted.class,
        (shard, meta, fact) ->
            job(
                meta,
                fact.getJobId(),
                "Job preempted for " + fact.getForJob() + " at request of " + fact.getBy()));
    handlers.on(
        RunShortened.class,
        (shard, meta, fact) ->
            job(
                meta,
                fact.getJobId(),
                "Run ends after "
                    + fact.getWalltimeS()
                    + " seconds, when "
                    + fact.getReservation()
                    + " begins"));
    handlers.on(
        ArrayCut.class,
        (shard, meta, fact) -> {
          if (fact.getEnd()) {
            job(meta, fact.getJobId(), "Job to be deleted at request of " + fact.getBy());
          }
        });
    handlers.on(
        JobDeleted.class,
        (shard, meta, fact) -> {
          String by = fact.getBy().isEmpty() ? lines.user(meta) : fact.getBy();
          String why = fact.getWhy();
          job(meta, fact.getJobId(), why.isEmpty() ? "Job to be deleted at request of " + by : why);
        });
  }

  /** A subjob is left out: PBS's server tells of it when it runs. */
  private void queued(FactMeta meta, Job job, boolean moved) {
    if (JobNumbers.isSubjob(job.getNumber())) {
      return;
    }
    JobSpec spec = job.getSpec();
    String state = job.getHolds().equals("n") ? "Q" : job.getHolds().equals(WAIT) ? "W" : "H";
    String into = "enqueuing into " + spec.getQueue() + ", state " + state + " hop 1";
    lines.job(meta, Event.DEBUG2, job.getId(), into);
    if (!moved) {
      String owner = spec.getOwner() + "@" + spec.getSubmitHost();
      job(
          meta,
          job.getId(),
          "Job Queued at request of "
              + owner
              + ", owner = "
              + owner
              + ", job name = "
              + spec.getName()
              + ", queue = "
              + spec.getQueue());
    }
  }

  private void holds(FactMeta meta, String jobId, String which, String what) {
    if (which.equals(WAIT)) {
      job(meta, jobId, what.equals("set") ? "Job waits for its time" : "Its time has come");
    } else {
      job(meta, jobId, request("Holds " + which + " " + what, meta));
    }
  }

  private void finished(FactMeta meta, RunFinished fact) {
    String id = fact.getJobId();
    lines.job(meta, Event.DEBUG, id, "Obit received momhop:1 serverhop:1 state:R substate:42");
    lines.job(
        meta,
        Event.JOB_USAGE,
        id,
        "Exit_status="
            + fact.getExitStatus()
            + " "
            + String.join(" ", UsageText.of(fact.getUsed())));
    if (!fact.getMessage().isEmpty()) {
      job(meta, id, fact.getMessage());
    }
  }

  private String request(String what, FactMeta meta) {
    return what + " at request of " + lines.user(meta);
  }

  private void job(FactMeta meta, String jobId, String text) {
    lines.job(meta, Event.JOB, jobId, text);
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }
}
