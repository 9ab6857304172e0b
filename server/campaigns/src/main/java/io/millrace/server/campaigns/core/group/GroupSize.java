package io.millrace.server.campaigns.core.group;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;

/** How many tasks go into one job. */
public final class GroupSize {

  /** What a job costs beside its tasks is little then. */
  static final long ENOUGH_MS = 60_000;

  /** Tasks of a job. */
  public static final int MOST = 100;

  private static final long MS_PER_S = 1_000;

  private GroupSize() {}

  /**
   * So long a job goes on with further tasks: a half of its walltime, so that the last one has the
   * other half.
   */
  static long budgetMs(CampaignCluster cluster) {
    long walltimeS = cluster.getJob().getRequest().getWalltimeS();
    return walltimeS < 0 ? ENOUGH_MS : Math.min(ENOUGH_MS, walltimeS * MS_PER_S / 2);
  }

  /** For how long a job runs, about, whose tasks take so long on average. */
  public static double jobS(CampaignCluster cluster, double taskS) {
    if (!cluster.getGrouping() || taskS <= 0) {
      return taskS;
    }
    double budgetS = (double) budgetMs(cluster) / MS_PER_S;
    return Math.max(taskS, Math.min(MOST * taskS, budgetS));
  }

  /**
   * How many tasks.
   *
   * @param waiting tasks of the campaign that wait in the bag: all processors are to have some
   */
  public static int of(CampaignCluster cluster, ClusterLoad load, int waiting) {
    if (!cluster.getGrouping() || cluster.getDone() == 0 || cluster.getRefusals() > 0) {
      return 1;
    }
    long meanMs = Math.max(1, cluster.getDoneMs() / cluster.getDone());
    int places = Math.max(1, load.getProcessors() / cluster.getProcessors());
    long most = Math.min(Math.min(MOST, budgetMs(cluster) / meanMs), waiting / places);
    return Math.toIntExact(Math.max(1, most));
  }
}
