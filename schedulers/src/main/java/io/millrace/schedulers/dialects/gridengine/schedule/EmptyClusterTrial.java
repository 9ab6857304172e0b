package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.gridengine.language.StartTrial;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Asks the scheduler about one job alone on an empty cluster. */
public final class EmptyClusterTrial implements StartTrial {

  @Override
  public Optional<String> refusal(
      Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now) {
    ClusterState alone =
        new ClusterState(
            cluster,
            scheduler.with("schedd_job_info", "true"),
            List.of(),
            List.of(new PendingJob(job, List.of(1))));
    Decisions decisions = GridEngineScheduler.decide(alone, now);
    if (!decisions.starts().isEmpty()) {
      return Optional.empty();
    }
    Decisions.Waiting why = decisions.waiting().get(job.number());
    return Optional.of(why == null ? "" : why.reason().text());
  }
}
