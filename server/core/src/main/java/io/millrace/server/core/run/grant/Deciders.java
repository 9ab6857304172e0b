package io.millrace.server.core.run.grant;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.View;
import io.millrace.server.core.engine.Epochs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks proposals of runs against the shard's own state. */
public final class Deciders {

  public Decision decide(Context c, RunJob command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (job.getStatus() != JobStatus.QUEUED) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    ClusterObject queue = Placement.queue(c.view(), job.getSpec().getQueue());
    String partition = Placement.partitionOf(queue);
    boolean mine =
        queue != null
            && command.getScheduler().equals(Placement.schedulerOf(c.view(), partition))
            && "True".equals(Context.attribute(queue, "started", "False"))
            && Placement.shardOf(c.view(), partition) == c.shard();
    if (!mine) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    ResourceTable resources = resources(c.view());
    List<NodeShare> shares = command.getShares();
    if (!covers(shares, job.getSpec().getRequest())
        || !room(c.view(), partition, shares, job.getSpec().getRequest(), resources)) {
      return Decision.rejected(c, PbsError.NO_ROOM);
    }
    Allocation allocation = allocation(c.view(), shares, resources);
    int run = job.getRun() + 1;
    return Decision.done(c)
        .fact(
            new RunGranted(
                c.stamp(),
                job.getId(),
                run,
                command.getScheduler(),
                command.getEpoch(),
                allocation))
        .dispatch(Orders.start(c, job, run, allocation));
  }

  static ResourceTable resources(View view) {
    List<ClusterObject> custom = new ArrayList<>();
    String prefix = ObjectKind.RESOURCE.name() + "/";
    view.objects()
        .scan(
            prefix,
            prefix + Character.MAX_VALUE,
            (key, object) -> {
              custom.add(object);
              return true;
            });
    return custom.isEmpty() ? ResourceTable.standard() : ResourceTable.of(custom);
  }

  /** The shares are the whole request: all chunks, and all amounts of each resource. */
  private static boolean covers(List<NodeShare> shares, ResourceRequest request) {
    Map<String, Long> missing = new HashMap<>();
    long chunks = 0;
    for (Chunk chunk : request.getChunks()) {
      chunks += chunk.getCount();
      add(missing, chunk.getAmounts(), chunk.getCount());
    }
    for (NodeShare share : shares) {
      // A negative amount would balance another share and leave its node with more than it has.
      if (share.getChunks() <= 0 || share.getAmounts().values().stream().anyMatch(a -> a < 0)) {
        return false;
      }
      chunks -= share.getChunks();
      add(missing, share.getAmounts(), -1);
    }
    return chunks == 0 && !shares.isEmpty() && allZero(missing) && whole(shares, request);
  }

  /**
   * No chunk is split over two nodes. A share says how many chunks it holds but not of which kinds,
   * so that this can be seen only when all are of one kind.
   */
  private static boolean whole(List<NodeShare> shares, ResourceRequest request) {
    if (request.getChunks().size() > 1) {
      return true;
    }
    Map<String, Long> one = request.getChunks().get(0).getAmounts();
    for (NodeShare share : shares) {
      Map<String, Long> difference = new HashMap<>(share.getAmounts());
      add(difference, one, -share.getChunks());
      if (!allZero(difference)) {
        return false;
      }
    }
    return true;
  }

  private static void add(Map<String, Long> sum, Map<String, Long> amounts, long times) {
    amounts.forEach((name, amount) -> sum.merge(name, times * amount, Long::sum));
  }

  private static boolean allZero(Map<String, Long> amounts) {
    return amounts.values().stream().allMatch(amount -> amount == 0);
  }

  /** The node shows all that some kind of chunk asks for. */
  private static boolean shows(
      Node node, ClusterObject object, ResourceRequest request, ResourceTable resources) {
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

  private static boolean room(
      View view,
      String partition,
      List<NodeShare> shares,
      ResourceRequest request,
      ResourceTable resources) {
    Map<String, Map<String, Long>> wanted = new HashMap<>();
    for (NodeShare share : shares) {
      NodeAmounts.add(
          wanted.computeIfAbsent(share.getNode(), name -> new HashMap<>()), share.getAmounts());
    }
    boolean exclusive = io.millrace.reservations.resources.Placement.exclusive(request.getPlace());
    for (Map.Entry<String, Map<String, Long>> want : wanted.entrySet()) {
      Node node = view.nodes().get(want.getKey());
      ClusterObject object = Placement.node(view, want.getKey());
      boolean usable =
          node != null
              && object != null
              && node.getUp()
              && node.getOfferedTo() < 0
              && !"offline".equals(Context.attribute(object, "state", ""))
              && partition.equals(Placement.partitionOf(object));
      if (!usable
          || (exclusive && !node.getHoldings().isEmpty())
          || heldExclusively(view, node)
          || !shows(node, object, request, resources)
          || !NodeAmounts.fits(NodeAmounts.free(node, object, resources), want.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean heldExclusively(View view, Node node) {
    if (node.getHoldings().isEmpty()) {
      return false;
    }
    // One look is enough: who holds a node exclusively is alone on it.
    Holding holding = node.getHoldings().get(0);
    Job job = view.jobs().get(Keys.number(holding.getNumber()));
    return job != null
        && io.millrace.reservations.resources.Placement.exclusive(
            job.getSpec().getRequest().getPlace());
  }

  private static Allocation allocation(View view, List<NodeShare> shares, ResourceTable resources) {
    StringBuilder hosts = new StringBuilder();
    StringBuilder vnodes = new StringBuilder();
    List<NodeShare> checked = new ArrayList<>(shares.size());
    for (NodeShare share : shares) {
      // The host is what the node says, not what an engine believes.
      String host = view.nodes().get(share.getNode()).getHost();
      checked.add(new NodeShare(share.getNode(), host, share.getChunks(), share.getAmounts()));
      long ncpus = share.getAmounts().getOrDefault("ncpus", 0L);
      hosts.append(hosts.length() == 0 ? "" : "+").append(host).append("/0");
      if (ncpus != 1) {
        hosts.append('*').append(ncpus);
      }
      vnodes.append(vnodes.length() == 0 ? "(" : "+(").append(share.getNode());
      for (Map.Entry<String, Long> amount : displayOrder(share.getAmounts()).entrySet()) {
        resources
            .find(amount.getKey())
            .ifPresent(
                r ->
                    vnodes
                        .append(':')
                        .append(r.name())
                        .append('=')
                        .append(Amounts.formatAssigned(r, amount.getValue())));
      }
      vnodes.append(')');
    }
    return new Allocation(checked, hosts.toString(), vnodes.toString());
  }

  private static Map<String, Long> displayOrder(Map<String, Long> amounts) {
    // ncpus first, then mem, the rest by name: as PBS prints a vnode's share.
    TreeMap<String, Long> sorted =
        new TreeMap<>(
            java.util.Comparator.comparingInt(Deciders::place)
                .thenComparing(java.util.Comparator.naturalOrder()));
    sorted.putAll(amounts);
    return sorted;
  }

  private static int place(String resource) {
    return switch (resource) {
      case "ncpus" -> 0;
      case "mem" -> 1;
      default -> 2;
    };
  }
}
