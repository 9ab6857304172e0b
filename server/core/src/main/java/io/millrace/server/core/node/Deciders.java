package io.millrace.server.core.node;

import io.millrace.schemas.command.NoteHostHeard;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.NoteNodeUp;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.run.lost.LostRuns;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Decides what an executor's announcement means, and what that nothing is heard of it. */
public final class Deciders {
  /** A host without a node gets no answer; it is asked again when a node is made for it. */
  public Decision decide(Context c, ReportNodeUp command) {
    Decision decision = Decision.none();
    Announcement announcement = Announcement.of(command);
    List<Node> here = new ArrayList<>(1);
    Set<Integer> others = new TreeSet<>();
    List<ClusterObject> all = Nodes.onHost(c.view(), command.getHost());
    for (ClusterObject object : all) {
      int shard = PartitionTable.shardOf(c.view(), object);
      Node node = c.view().nodes().get(object.getName());
      if (node != null) {
        here.add(node);
      } else if (shard >= 0 && shard != c.shard()) {
        others.add(shard);
      }
    }
    announcement.reach(c, all, here, decision);
    for (int shard : others) {
      decision.tell(shard, announcement.passedOn(c.asShard()));
    }
    return decision;
  }

  /** For a node that is still being handed over, its host is asked when it arrives. */
  public Decision decide(Context c, NoteNodeUp command) {
    List<Node> here = new ArrayList<>(1);
    List<ClusterObject> all = Nodes.onHost(c.view(), command.getHost());
    for (ClusterObject object : all) {
      Node node = c.view().nodes().get(object.getName());
      if (node != null) {
        here.add(node);
      }
    }
    Decision decision = Decision.none();
    Announcement.of(command).reach(c, all, here, decision);
    return decision;
  }

  public Decision decide(Context c, NoteHostSilent command) {
    Decision decision = Decision.none();
    String why = "nothing heard for " + command.getUnheardS() + " s";
    for (Node node : served(c, command.getHost(), command.getExecutor())) {
      if (node.getUp()) {
        decision.fact(new NodeWentDown(c.stamp(), node.getName(), why));
        ReservationWork.node(c, node.getName(), decision);
      }
    }
    return decision;
  }

  /**
   * Begins to give up the runs of a lost host's nodes, unless it has announced itself meanwhile.
   */
  public Decision decide(Context c, NoteHostLost command) {
    Decision decision = Decision.none();
    for (Node node : served(c, command.getHost(), command.getExecutor())) {
      LostRuns.begin(c, node, decision);
    }
    return decision;
  }

  /** Asks a host that is heard again to announce itself; only its answer makes it up. */
  public Decision decide(Context c, NoteHostHeard command) {
    Decision decision = Decision.none();
    boolean down =
        served(c, command.getHost(), command.getExecutor()).stream().anyMatch(it -> !it.getUp());
    return down ? decision.dispatch(new AskHost(command.getHost(), c.shard())) : decision;
  }

  /** Nodes of the host here whose orders this executor gets. */
  private static List<Node> served(Context c, String host, String executor) {
    List<Node> served = new ArrayList<>(1);
    for (ClusterObject object : Nodes.onHost(c.view(), host)) {
      Node node = c.view().nodes().get(object.getName());
      if (node != null && node.getExecutor().equals(executor)) {
        served.add(node);
      }
    }
    return served;
  }
}
