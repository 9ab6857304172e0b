package io.millrace.server.core.node;

import io.millrace.schemas.command.NoteNodeUp;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Placement;
import io.millrace.server.core.cluster.Nodes;
import io.millrace.server.core.run.missing.RollCall;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Decides what an executor's announcement means. */
public final class Deciders {

  /** A host that no node names is not answered: it is asked again when its node is made. */
  public Decision decide(Context c, ReportNodeUp command) {
    Decision decision = Decision.none();
    Set<Integer> others = new TreeSet<>();
    for (ClusterObject node : Nodes.onHost(c.view(), command.getHost())) {
      int shard = Placement.shardOf(c.view(), node);
      Node known = c.view().nodes().get(node.getName());
      if (known != null) {
        decision.fact(
            cameUp(c, node, command.getHost(), command.getBootId(), command.getMeasured()));
        RollCall.all(c, known, decision);
      } else if (shard >= 0 && shard != c.shard()) {
        others.add(shard);
      }
    }
    for (int shard : others) {
      decision.tell(
          shard,
          new NoteNodeUp(
              c.asShard(), command.getHost(), command.getBootId(), command.getMeasured()));
    }
    return decision;
  }

  /** A node that is still on its way here has its host asked when it arrives. */
  public Decision decide(Context c, NoteNodeUp command) {
    Decision decision = Decision.none();
    for (ClusterObject node : Nodes.onHost(c.view(), command.getHost())) {
      Node known = c.view().nodes().get(node.getName());
      if (known != null) {
        decision.fact(
            cameUp(c, node, command.getHost(), command.getBootId(), command.getMeasured()));
        RollCall.all(c, known, decision);
      }
    }
    return decision;
  }

  private static NodeCameUp cameUp(
      Context c, ClusterObject node, String host, String bootId, Map<String, Long> measured) {
    return new NodeCameUp(c.stamp(), node.getName(), host, bootId, measured);
  }
}
