package io.millrace.server.core.node;

import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Placement;
import io.millrace.server.core.cluster.Nodes;

/** Decides what an executor's announcement means. */
public final class Deciders {

  /** A host that no node names is not answered: it is asked again when its node is made. */
  public Decision decide(Context c, ReportNodeUp command) {
    Decision decision = Decision.none();
    for (ClusterObject node : Nodes.onHost(c.view(), command.getHost())) {
      Node here = c.view().nodes().get(node.getName());
      int shard = Placement.shardOf(c.view(), node);
      if (shard != c.shard() && here == null) {
        decision.tell(shard, command);
      } else {
        decision.fact(
            new NodeCameUp(
                c.stamp(),
                node.getName(),
                command.getHost(),
                command.getBootId(),
                command.getMeasured()));
      }
    }
    return decision;
  }
}
