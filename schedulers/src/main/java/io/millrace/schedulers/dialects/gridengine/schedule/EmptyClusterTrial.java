package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.gridengine.language.StartTrial;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the scheduler about one job alone on an empty cluster. */
public final class EmptyClusterTrial implements StartTrial {

  @Override
  public Optional<String> refusal(
      Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
    Decisions decisions = decide(cluster, scheduler, job, now);
    if (!decisions.starts().isEmpty()) {
      return Optional.empty();
    }
    Decisions.WaitingReasons why = decisions.waiting().get(job.number());
    return Optional.of(why == null ? "" : why.reason().text());
  }

  @Override
  public Optional<TrialPlace> place(
      Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
    return decide(cluster, scheduler, job, now).starts().stream()
        .findFirst()
        .map(Decisions.TaskDecision::assignment)
        .map(EmptyClusterTrial::placeOf);
  }

  private static TrialPlace placeOf(Assignment assignment) {
    Map<QueueInstance, Integer> slots = new LinkedHashMap<>();
    assignment.grants().forEach(it -> slots.merge(it.queue(), it.slots(), Integer::sum));
    return new TrialPlace(
        assignment.environment().map(ParallelEnvironment::name).orElse(""), slots);
  }

  private static Decisions decide(
      Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
    ClusterState alone =
        new ClusterState(
            cluster,
            scheduler.with("schedd_job_info", "true"),
            List.of(),
            List.of(new PendingJob(job, List.of(1))));
    return GridEngineScheduler.decide(alone, now);
  }
}
