package io.millrace.server.core.node;

import io.millrace.schemas.command.NoteNodeUp;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Placement;
import io.millrace.server.core.cluster.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Decides what an executor's announcement means. */
public final class Deciders {

  /** A host that no node names is not answered: it is asked again when its node is made. */
  public Decision decide(Context c, ReportNodeUp command) {
    Decision decision = Decision.none();
    Announcement announcement = Announcement.of(command);
    List<Node> here = new ArrayList<>(1);
    Set<Integer> others = new TreeSet<>();
    for (ClusterObject object : Nodes.onHost(c.view(), command.getHost())) {
      int shard = Placement.shardOf(c.view(), object);
      Node node = c.view().nodes().get(object.getName());
      if (node != null) {
        here.add(node);
      } else if (shard >= 0 && shard != c.shard()) {
        others.add(shard);
      }
    }
    announcement.reach(c, here, decision);
    for (int shard : others) {
      decision.tell(shard, announcement.passedOn(c.asShard()));
    }
    return decision;
  }

  /** A node that is still on its way here has its host asked when it arrives. */
  public Decision decide(Context c, NoteNodeUp command) {
    List<Node> here = new ArrayList<>(1);
    for (ClusterObject object : Nodes.onHost(c.view(), command.getHost())) {
      Node node = c.view().nodes().get(object.getName());
      if (node != null) {
        here.add(node);
      }
    }
    Decision decision = Decision.none();
    Announcement.of(command).reach(c, here, decision);
    return decision;
  }
}
