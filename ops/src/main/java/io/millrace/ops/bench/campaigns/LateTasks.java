package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import java.util.List;
import java.util.Random;

/**
 * A campaign of 2,000 tasks on three idle clusters. A task takes 60 s on average, lognormal; 2 % of
 * them take twenty times as long on the last cluster.
 */
public final class LateTasks {

  public static final int TASKS = 2_000;

  private static final int CLUSTERS = 3;
  private static final double LATE = 0.02;
  private static final int TIMES = 20;
  private static final double MEAN_MS = 60_000;
  private static final double SIGMA = 0.6;
  private static final double MS_PER_S = 1_000;

  /**
   * What came of it.
   *
   * @param endS seconds until its end
   * @param workS processor seconds of all runs
   * @param replicas runs beside others
   * @param replicasS processor seconds of them
   */
  public record LateTasksResult(double endS, double workS, int replicas, double replicasS) {

    /** The sums of both. */
    public LateTasksResult plus(LateTasksResult other) {
      return new LateTasksResult(
          endS + other.endS,
          workS + other.workS,
          replicas + other.replicas,
          replicasS + other.replicasS);
    }
  }

  private final VirtualSite site = new VirtualSite(note -> {});
  private final long[] takesMs = new long[TASKS];
  private final boolean[] late = new boolean[TASKS];

  private LateTasks(int processors, long seed) {
    Random random = new Random(seed);
    for (int task = 0; task < TASKS; task++) {
      double middle = Math.log(MEAN_MS) - SIGMA * SIGMA / 2;
      takesMs[task] = (long) Math.exp(middle + SIGMA * random.nextGaussian());
      late[task] = random.nextDouble() < LATE;
    }
    for (int i = 1; i <= CLUSTERS; i++) {
      int times = i == CLUSTERS ? TIMES : 1;
      site.add("c" + i, processors, tag -> takesMs(tag, times));
    }
  }

  /**
   * @param processors of each cluster
   * @param replicas whether the campaign has replicas
   */
  public static LateTasksResult run(int processors, boolean replicas, long seed) {
    return new LateTasks(processors, seed).run(replicas);
  }

  private long takesMs(String tag, int times) {
    int task = Integer.parseInt(tag.split("\\.")[1]);
    return late[task] ? times * takesMs[task] : takesMs[task];
  }

  private LateTasksResult run(boolean replicas) {
    long id = site.submit(new VirtualSite.NewCampaign("ada", TASKS, List.of(), false, replicas));
    site.runWhile(() -> site.campaign(id).getEndedMs() < 0 || !site.quiet());
    Campaign campaign = site.campaign(id);
    if (campaign.getDone() != TASKS) {
      throw new IllegalStateException(campaign.getDone() + " tasks were done");
    }
    int sent = 0;
    double replicasMs = 0;
    for (CampaignCluster cluster : campaign.getClusters()) {
      sent += cluster.getReplicas();
      replicasMs += cluster.getReplicasMs();
    }
    return new LateTasksResult(
        (campaign.getEndedMs() - VirtualSite.START_MS) / MS_PER_S,
        site.ranMs() / MS_PER_S,
        sent,
        replicasMs / MS_PER_S);
  }
}
