package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.List;

/**
 * Input of a run.
 *
 * @param scheduler settings of the table of sched_conf
 * @param running in the order in which they started
 * @param admission run limits of the server and of queues
 * @param booked what advance reservations have
 */
public record ClusterState(
    Cluster cluster,
    OptionValues scheduler,
    List<RunningTask> running,
    List<PendingJob> pending,
    OutsideLimits admission,
    List<BookedAmount> booked) {

  /** A state without run limits from outside, and without reservations. */
  public ClusterState(
      Cluster cluster,
      OptionValues scheduler,
      List<RunningTask> running,
      List<PendingJob> pending) {
    this(cluster, scheduler, running, pending, OutsideLimits.OPEN, List.of());
  }
}
