package io.millrace.server.campaigns.core;

import io.millrace.schedulers.campaigns.strategies.FairTurn;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.server.campaigns.core.affinity.AffinityDeciders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose turn the room of a cluster is: tests come before all others, then the campaigns of the user
 * with the greatest affinity to it; of equal ones those of the user who has the fewest processors
 * there; and of one user in the order of submission.
 */
final class ClusterTurns {

  private final CampaignState state;

  ClusterTurns(CampaignState state) {
    this.state = state;
  }

  private int affinity(Campaign campaign, String cluster) {
    return AffinityDeciders.of(state.table(), campaign.getOwner(), cluster);
  }

  /** Processors that tasks of a user have on a cluster, or wait for there. */
  private static Map<String, Integer> used(List<Campaign> campaigns, String name) {
    Map<String, Integer> used = new HashMap<>();
    for (Campaign campaign : campaigns) {
      CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
      int tasks = cluster.getWaiting() + cluster.getRunning();
      used.merge(campaign.getOwner(), tasks * cluster.getProcessors(), Integer::sum);
    }
    return used;
  }

  /** Campaigns that name a cluster, the first first. */
  List<Campaign> of(String cluster) {
    List<Campaign> all = state.naming(cluster);
    if (all.size() < 2) {
      return all;
    }
    Map<String, Integer> used = used(all, cluster);
    Map<String, Integer> affinities = new HashMap<>();
    all.forEach(it -> affinities.computeIfAbsent(it.getOwner(), user -> affinity(it, cluster)));
    // They are in the order of submission, which a sort leaves to equal ones.
    all.sort(
        Comparator.comparing((Campaign it) -> !it.getTest())
            .thenComparing(it -> -affinities.get(it.getOwner()))
            .thenComparing(it -> used.get(it.getOwner())));
    return all;
  }

  /**
   * How many tasks a campaign whose turn it is may send at once: users of equal affinity come to
   * have as much as each other.
   *
   * @param wanting campaigns that have something to send there
   * @param room tasks of the campaign for which there is room
   */
  int share(Campaign campaign, CampaignCluster cluster, List<Campaign> wanting, int room) {
    String name = cluster.getName();
    Map<String, Integer> used = used(state.naming(name), name);
    Map<String, Integer> others = new HashMap<>();
    for (Campaign other : wanting) {
      if (!other.getTest()
          && !other.getOwner().equals(campaign.getOwner())
          && affinity(other, name) == affinity(campaign, name)) {
        others.put(other.getOwner(), used.get(other.getOwner()));
      }
    }
    if (others.isEmpty()) {
      return room;
    }
    int own = used.get(campaign.getOwner());
    int processors =
        FairTurn.share(own, new ArrayList<>(others.values()), room * cluster.getProcessors());
    return Math.max(1, processors / cluster.getProcessors());
  }

  /** Why one campaign comes before another one on a cluster; empty when it came first. */
  String words(Campaign first, Campaign then, String cluster) {
    if (first.getTest() != then.getTest()) {
      return ", which is a test";
    }
    if (first.getOwner().equals(then.getOwner())) {
      return "";
    }
    int greater = affinity(first, cluster);
    int less = affinity(then, cluster);
    if (greater != less) {
      return ", whose user has the affinity " + greater + " there, not " + less;
    }
    Map<String, Integer> used = used(state.naming(cluster), cluster);
    int fewer = used.get(first.getOwner());
    int more = used.get(then.getOwner());
    return fewer == more ? "" : ", whose user has " + fewer + " processors there, not " + more;
  }
}
