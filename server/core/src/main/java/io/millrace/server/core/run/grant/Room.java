package io.millrace.server.core.run.grant;

import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Placement;
import io.millrace.server.core.Shard;
import io.millrace.server.core.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Whether nodes can take the shares of a run, beside whoever is on them. */
final class Room {
  private final View view;
  private final ResourceTable resources;

  Room(View view, ResourceTable resources) {
    this.view = view;
    this.resources = resources;
  }

  /**
   * Whether a new run finds room.
   *
   * @param serves whether a node may run jobs of its queue
   */
  boolean has(
      Predicate<ClusterObject> serves,
      List<NodeShare> shares,
      ResourceRequest request,
      Sharing sharing) {
    for (NodeShare share : shares) {
      Node node = view.nodes().get(share.getNode());
      ClusterObject object = Placement.node(view, share.getNode());
      if (!usable(node, object) || !serves.test(object) || !shows(node, object, request)) {
        return false;
      }
    }
    return hasAgain(shares, sharing);
  }

  /**
   * The same for a run that was there before: what its nodes show, and whether they serve its
   * queue, was looked at then. It can be nowhere else, whatever became of queue or nodes since.
   */
  boolean hasAgain(List<NodeShare> shares, Sharing sharing) {
    Map<String, Map<String, Long>> wanted = new HashMap<>();
    for (NodeShare share : shares) {
      NodeAmounts.add(
          wanted.computeIfAbsent(share.getNode(), name -> new HashMap<>()), share.getAmounts());
    }
    Set<String> hosts = new HashSet<>();
    for (Map.Entry<String, Map<String, Long>> want : wanted.entrySet()) {
      Node node = view.nodes().get(want.getKey());
      ClusterObject object = Placement.node(view, want.getKey());
      if (!usable(node, object)
          || !open(node, sharing)
          || !NodeAmounts.fits(NodeAmounts.free(node, object, resources), want.getValue())) {
        return false;
      }
      hosts.add(node.getHost());
    }
    return hostsAreOpen(hosts, sharing);
  }

  /** Whether a run may share the node with whoever is on it. */
  boolean open(Node node, Sharing sharing) {
    return (sharing == Sharing.SHARED || node.getHoldings().isEmpty()) && !heldExclusively(node);
  }

  /** Whether the node may get runs at all now. */
  boolean usable(Node node, ClusterObject object) {
    return node != null
        && object != null
        && node.getUp()
        && node.getOfferedTo() < 0
        && !"offline".equals(Context.attribute(object, "state", ""));
  }

  /** The node shows all that some kind of chunk asks for. */
  private boolean shows(Node node, ClusterObject object, ResourceRequest request) {
    Map<String, String> properties = null;
    for (Chunk chunk : request.getChunks()) {
      if (chunk.getMatches().isEmpty()) {
        return true;
      }
      properties =
          properties == null ? NodeAmounts.properties(node, object, resources) : properties;
      Map<String, String> shown = properties;
      if (chunk.getMatches().entrySet().stream()
          .allMatch(m -> NodeAmounts.matches(shown, m.getKey(), m.getValue(), resources))) {
        return true;
      }
    }
    return false;
  }

  private boolean heldExclusively(Node node) {
    // One look is enough: who holds a node exclusively is alone on it.
    return !node.getHoldings().isEmpty() && sharing(node.getHoldings().get(0)) != Sharing.SHARED;
  }

  private Sharing sharing(Holding holding) {
    Job job = view.jobs().get(Keys.number(holding.getNumber()));
    return job == null ? Sharing.SHARED : JobTable.placement(job).sharing();
  }

  /**
   * Nobody is on another node of these hosts when the job wants them for itself, and nobody there
   * wants them for himself. Looks at the nodes of this shard; a look at all of them only when some
   * job does want that.
   */
  private boolean hostsAreOpen(Set<String> hosts, Sharing sharing) {
    boolean alone = sharing == Sharing.EXCLHOST;
    if (!alone && Shard.numbers(view).getExclusiveHosts() == 0) {
      return true;
    }
    boolean[] open = {true};
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              open[0] = !(hosts.contains(node.getHost()) && closes(node, alone));
              return open[0];
            });
    return open[0];
  }

  /** The hosts that are not open to a run, of all. */
  Set<String> closedHosts(Sharing sharing) {
    boolean alone = sharing == Sharing.EXCLHOST;
    Set<String> closed = new HashSet<>();
    if (alone || Shard.numbers(view).getExclusiveHosts() > 0) {
      view.nodes()
          .scan(
              "",
              null,
              (name, node) -> {
                if (closes(node, alone)) {
                  closed.add(node.getHost());
                }
                return true;
              });
    }
    return closed;
  }

  /** What is on the node keeps others from its host. */
  private boolean closes(Node node, boolean alone) {
    return !node.getHoldings().isEmpty()
        && (alone || sharing(node.getHoldings().get(0)) == Sharing.EXCLHOST);
  }
}
