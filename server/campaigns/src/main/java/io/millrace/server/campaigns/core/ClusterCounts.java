package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;

/** Counts what a campaign has on a cluster. */
final class ClusterCounts {

  private final CampaignState state;

  ClusterCounts(CampaignState state) {
    this.state = state;
  }

  /** Until the cluster is seen again, what begins and ends there is idle no more, or again. */
  void count(CampaignCluster cluster, OpenTask task, int by) {
    if (task.getLead() >= 0) {
      return; // its job is counted with another task
    }
    TaskStatus status = task.getStatus();
    if (status == TaskStatus.SENT || status == TaskStatus.QUEUED) {
      cluster.setWaiting(cluster.getWaiting() + by);
      cluster.setLeaving(cluster.getLeaving() + (task.getLeaving() ? by : 0));
      boolean held = task.getHeld() && !task.getLeaving();
      cluster.setHeld(cluster.getHeld() + (held ? by : 0));
      boolean overdue = task.getOverdue() && !task.getLeaving() && !held;
      cluster.setOverdue(cluster.getOverdue() + (overdue ? by : 0));
    } else if (status == TaskStatus.RUNNING) {
      cluster.setRunning(cluster.getRunning() + by);
      boolean last = task.getSending() == cluster.getSending();
      cluster.setRunningOfLast(cluster.getRunningOfLast() + (last ? by : 0));
      ClusterLoad load = state.load(cluster.getName()).orElse(null);
      if (load != null) {
        long idle = load.getIdle() - (long) by * cluster.getProcessors();
        load.setIdle((int) Math.max(0, Math.min(load.getProcessors(), idle)));
        state.table().put(CampaignKeys.load(cluster.getName()), load);
      }
    }
  }

  /** A replica's job is over. */
  static void ran(CampaignCluster cluster, OpenTask task, long runMs) {
    if (task.getReplica()) {
      cluster.setReplicasMs(cluster.getReplicasMs() + runMs);
    }
  }
}
