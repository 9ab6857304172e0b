package io.millrace.server.campaigns.cluster;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.link.ClusterView;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue to which campaigns may send tasks, and what of it is used.
 *
 * @param busy processors that somebody has
 * @param tasks processors on which tasks of campaigns run
 */
public record QueueUse(ClusterObject queue, SeenCluster seen, int busy, int tasks) {

  /** Those that there are. */
  public static List<QueueUse> all(ClusterView view, List<Node> nodes, List<Campaign> campaigns) {
    List<QueueUse> all = new ArrayList<>();
    for (ClusterObject queue : view.all(ObjectKind.QUEUE)) {
      if (ClusterView.attribute(queue, "queue_type").filter("Execution"::equals).isPresent()) {
        SeenCluster seen = SeenCluster.of(view, queue.getName(), nodes);
        int busy = seen.load().getProcessors() - seen.load().getIdle();
        int tasks = Math.min(busy, tasks(queue.getName(), campaigns));
        all.add(new QueueUse(queue, seen, busy, tasks));
      }
    }
    return all;
  }

  private static int tasks(String queue, List<Campaign> campaigns) {
    long used = 0;
    for (Campaign campaign : campaigns) {
      for (CampaignCluster cluster : campaign.getClusters()) {
        boolean here = campaign.getEndedMs() < 0 && cluster.getName().equals(queue);
        used += here ? (long) cluster.getRunning() * cluster.getProcessors() : 0;
      }
    }
    return (int) Math.min(Integer.MAX_VALUE, used);
  }

  /** All processors, also those that are away. */
  public int most() {
    return seen.load().getProcessors() + seen.away();
  }
}
