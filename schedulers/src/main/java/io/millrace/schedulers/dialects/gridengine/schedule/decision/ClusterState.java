package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.List;

/**
 * What a run decides on.
 *
 * @param scheduler settings of the table of sched_conf
 * @param running in the order in which they started
 * @param admission limits from outside the dialect
 */
public record ClusterState(
    Cluster cluster,
    OptionValues scheduler,
    List<RunningTask> running,
    List<PendingJob> pending,
    OutsideLimits admission) {

  /** The same where nothing limits what may run. */
  public ClusterState(
      Cluster cluster,
      OptionValues scheduler,
      List<RunningTask> running,
      List<PendingJob> pending) {
    this(cluster, scheduler, running, pending, OutsideLimits.OPEN);
  }
}
