package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
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
    Settings scheduler,
    List<RunningTask> running,
    List<PendingJob> pending,
    Admission admission) {

  /** The same where nothing limits what may run. */
  public ClusterState(
      Cluster cluster, Settings scheduler, List<RunningTask> running, List<PendingJob> pending) {
    this(cluster, scheduler, running, pending, Admission.OPEN);
  }
}
