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

  /** How many of its tasks are this scheduler's. */
  int own;

  /** Jobs that must end first. */
  final Set<Long> predecessors = new HashSet<>();

  /** The job as the dialect decides on it; empty until it is asked for. */
  private Optional<GridEngineJob> decided = Optional.empty();

  private String refusal = "";

  final RefusingHosts refusing = new RefusingHosts();

  LiveJob(long number) {
    this.number = number;
  }

  JobSpec spec() {
    return tasks.firstEntry().getValue().spec;
  }

  /** Something that the dialect decides on has changed. */
  void changed() {
    decided = Optional.empty();
    refusal = "";
  }

  /** Why the job cannot be decided on; empty when it can. */
  String refusal() {
    return refusal;
  }

  /** The job in the dialect's terms; empty when the configuration has no place for its request. */
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
   * Whether it was to start at once, and could have by then: it neither waits for other jobs nor
   * for its time. True also of one that the configuration has no place for. A job that was queued
   * when the shard was not told of it waits as any: the shard would not let it go.
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
