package io.millrace.server.campaigns.core.task;

import io.millrace.schemas.campaign.ClusterAffinity;
import java.util.ArrayList;
import java.util.List;

/** How well a task does on the clusters of its campaign, as CiGri counts it: 0 at first. */
public final class TaskAffinities {

  private TaskAffinities() {}

  /** Its affinity to a cluster. */
  public static int of(List<ClusterAffinity> affinities, String cluster) {
    return affinities.stream()
        .filter(it -> it.getCluster().equals(cluster))
        .mapToInt(ClusterAffinity::getAffinity)
        .findFirst()
        .orElse(0);
  }

  /** The same after an attempt that went wrong on a cluster. */
  public static List<ClusterAffinity> lowered(List<ClusterAffinity> affinities, String cluster) {
    List<ClusterAffinity> lowered = new ArrayList<>();
    for (ClusterAffinity affinity : affinities) {
      if (!affinity.getCluster().equals(cluster)) {
        lowered.add(affinity);
      }
    }
    lowered.add(new ClusterAffinity(cluster, of(affinities, cluster) - 1));
    return lowered;
  }
}
