package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which placement sets hold for a job, and whether nodes lie in one of them. That a job which may
 * use several sets would fit into none is left to its scheduler: nothing is broken when it is
 * wrong.
 */
public final class SetCheck {
  private SetCheck() {}

  /**
   * The rule for the jobs of a queue, apart from what they ask for themselves.
   *
   * @param queue null for what is in no queue
   * @param scheduler that serves it; nothing holds where there is none
   */
  public static PlacementRule rule(View view, ClusterObject queue, String scheduler) {
    ClusterObject object = PartitionTable.scheduler(view, scheduler);
    if (object == null) {
      return PlacementRule.NONE;
    }
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    PlacementRule rule = PlacementRule.of(object, server);
    if (queue == null) {
      return rule;
    }
    return ReservationIds.isReserved(queue.getName())
        ? rule.withoutSets()
        : rule.ofQueue(PlacementRule.keys(queue));
  }

  /** Whether the nodes of all shares are in one set, or need not be. */
  public static boolean kept(
      View view, PlacementRule rule, List<NodeShare> shares, ResourceTable resources) {
    if (!rule.grouped() || rule.spans()) {
      return true;
    }
    Set<String> common = null;
    for (NodeShare share : shares) {
      ClusterObject object = PartitionTable.node(view, share.getNode());
      Set<String> here =
          new TreeSet<>(
              rule.sets(
                  NodeAmounts.properties(view.nodes().get(share.getNode()), object, resources)));
      if (common == null) {
        common = here;
      } else {
        common.retainAll(here);
      }
    }
    return common != null && !common.isEmpty();
  }
}
