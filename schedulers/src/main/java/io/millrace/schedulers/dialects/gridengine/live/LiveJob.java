package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.JobLimits;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A Grid Engine job with those of its tasks that have not ended. */
final class LiveJob {

  final long number;
  final TreeMap<Integer, LiveTask> tasks = new TreeMap<>();

  /** Number of its tasks that belong to this scheduler. */
  int own;

  /** Jobs that must have ended before it starts (-hold_jid). */
  final Set<Long> predecessors = new HashSet<>();

  /** The job in the dialect's terms; empty until it is needed. */
  private Optional<GridEngineJob> decided = Optional.empty();

  private String refusal = "";

  final RefusingHosts refusing = new RefusingHosts();

  LiveJob(long number) {
    this.number = number;
  }

  JobSpec spec() {
    return tasks.firstEntry().getValue().spec;
  }

  /** Discards the cached job, because something in it has changed. */
  void changed() {
    decided = Optional.empty();
    refusal = "";
  }

  /** Why the job's request is refused; empty when it is valid. */
  String refusal() {
    return refusal;
  }

  /** The job in the dialect's terms; empty when the configuration does not allow its request. */
  Optional<GridEngineJob> job(Complexes complexes, JobLimits limits) {
    if (decided.isEmpty() && refusal.isEmpty()) {
      try {
        decided = Optional.of(limits.limited(read(complexes)));
      } catch (RequestRefused e) {
        refusal = e.getMessage();
      }
    }
    return decided.map(
        job ->
            new GridEngineJob(
                job.identity(),
                refusing.any() ? job.needs().avoiding(refusing.avoided()) : job.needs(),
                job.reserve(),
                job.urge(),
                job.tasks(),
                behaviour(job.behaviour())));
  }

  /**
   * Whether a job with -now y has had its chance to start: it waits neither for other jobs nor for
   * its start time (-a). True also when the configuration does not allow its request. A job whose
   * -now the shard does not know of waits as any other, because the shard would not accept its
   * rejection.
   */
  boolean hadItsChance(long nowS) {
    if (!spec().getGridEngine().getImmediate()) {
      return false;
    }
    if (!predecessors.isEmpty() || !spec().getGridEngine().getOptions().contains("-now")) {
      return false;
    }
    try {
      Submission asked = Submission.of(spec().getGridEngine().getOptions());
      return asked.immediate() && asked.earliest_s() <= nowS;
    } catch (RequestRefused e) {
      return false; // its reason says so
    }
  }

  private GridEngineJob.Behaviour behaviour(GridEngineJob.Behaviour asked) {
    GridEngineJob.Waits waits =
        predecessors.isEmpty() ? GridEngineJob.Waits.NO : GridEngineJob.Waits.DEPENDS;
    return waits == asked.waits()
        ? asked
        : new GridEngineJob.Behaviour(
            asked.immediate(), waits, asked.concurrent(), asked.earliest_s());
  }

  private GridEngineJob read(Complexes complexes) {
    LiveTask first = tasks.firstEntry().getValue();
    JobSpec spec = first.spec;
    Submission asked = Submission.of(spec.getGridEngine().getOptions());
    return new GridEngineJob(
        new GridEngineJob.Identity(number, spec.getName(), spec.getOwner(), asked.project()),
        asked.needs(complexes),
        asked.reserve(),
        new GridEngineJob.Urge(spec.getPriority(), first.submittedS, 0),
        asked.tasks(),
        new GridEngineJob.Behaviour(
            asked.immediate(), GridEngineJob.Waits.NO, asked.concurrent(), asked.earliest_s()));
  }
}
