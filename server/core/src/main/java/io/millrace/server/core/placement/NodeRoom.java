package io.millrace.server.core.placement;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Whether nodes have room for the shares of a run beside the runs that are on them. */
public final class NodeRoom {
  private final View view;
  private final ResourceTable resources;
  private final Job job;
  private final Sharing asked;
  private final boolean gridEngine;
  private final long nowMs;

  /** Null while nothing is booked in this shard. */
  private final BookedRoom booked;

  /** The reservation in whose queue the job is, or null. */
  private final Reservation reservation;

  private final ComparedAmounts compared;

  /**
   * Room for a run of a job.
   *
   * @param gridEngine whether it is one of Grid Engine's, whose own configuration alone says who
   *     shares
   */
  public NodeRoom(View view, ResourceTable resources, Job job, boolean gridEngine, long nowMs) {
    this.view = view;
    this.resources = resources;
    this.job = job;
    this.asked = JobRecords.placement(job).sharing();
    this.gridEngine = gridEngine;
    this.nowMs = nowMs;
    this.booked = view.bookings().any() ? new BookedRoom(view, resources, nowMs) : null;
    this.reservation = Reservations.ofQueue(view, job.getSpec().getQueue());
    this.compared = ComparedAmounts.of(view, resources, job);
  }

  /**
   * Whether a new run finds room.
   *
   * @param serves whether a node may run jobs of its queue
   */
  public boolean has(
      Predicate<ClusterObject> serves, List<NodeShare> shares, ResourceRequest request) {
    for (NodeShare share : shares) {
      Node node = view.nodes().get(share.getNode());
      ClusterObject object = PartitionTable.node(view, share.getNode());
      if (!usable(node, object) || !serves.test(object) || !shows(node, object, request)) {
        return false;
      }
    }
    return fit(shares, RunTimes.ifStarted(job, nowMs));
  }

  /**
   * Whether a suspended run has room to resume. Properties of its nodes and their queue were
   * checked at its start; it can resume on these nodes only.
   */
  boolean hasAgain(List<NodeShare> shares) {
    return fit(shares, RunTimes.ifResumed(job, nowMs));
  }

  /**
   * Whether the current run may last until another time than it does now. One that is suspended has
   * to find room again anyway, and nobody is asked for a shorter one.
   */
  public static boolean mayLast(Context c, Job job, long endMs) {
    return endMs <= RunTimes.end(job)
        || !heedsBookings(c.view(), job)
        || stays(c, job, new BookedRoom.BookingPeriod(c.nowMs(), endMs));
  }

  /** Whether the run goes on outside of reservations, where there are any. */
  static boolean heedsBookings(View view, Job job) {
    return job.getSuspension() == Suspension.NONE
        && view.bookings().any()
        && Reservations.ofQueue(view, job.getSpec().getQueue()) == null;
  }

  /** Whether there is room in a span for what the current run has. */
  static boolean stays(Context c, Job job, BookedRoom.BookingPeriod span) {
    ResourceTable resources = CustomResources.with(c.view());
    BookedRoom room = new BookedRoom(c.view(), resources, c.nowMs());
    ComparedAmounts compared = ComparedAmounts.of(c.view(), resources, job);
    BookedRoom.Asker asker = BookedRoom.Asker.job(job.getNumber());
    Map<String, Map<String, Long>> held = new HashMap<>();
    for (NodeShare share : job.getAllocation().getShares()) {
      NodeAmounts.add(
          held.computeIfAbsent(share.getNode(), name -> new HashMap<>()), share.getAmounts());
    }
    for (Map.Entry<String, Map<String, Long>> hold : held.entrySet()) {
      Node node = c.view().nodes().get(hold.getKey());
      ClusterObject object = PartitionTable.node(c.view(), hold.getKey());
      Sharing sharing = JobRecords.sharing(job, job.getAllocation(), object);
      if (node != null
          && (!NodeAmounts.fits(
                  room.free(node, object, span, asker), compared.of(hold.getValue(), node, object))
              || !room.open(node, object, span, asker, sharing))) {
        return false;
      }
    }
    return true;
  }

  /** What a run of the job that begins now may have of a node. */
  public Map<String, Long> free(Node node, ClusterObject object) {
    return free(node, object, RunTimes.ifStarted(job, nowMs));
  }

  private Map<String, Long> free(Node node, ClusterObject object, long endMs) {
    if (booked == null) {
      return NodeAmounts.free(node, object, resources);
    }
    return reservation == null
        ? booked.free(
            node, object, new BookedRoom.BookingPeriod(nowMs, endMs), BookedRoom.Asker.nobody())
        : booked.inside(reservation, node, object);
  }

  /** Whether bookings let the run be on the node as far as sharing goes. */
  private boolean unbooked(Node node, ClusterObject object, long endMs) {
    if (booked == null) {
      return true;
    }
    Sharing sharing = sharing(object);
    return reservation == null
        ? booked.open(
            node,
            object,
            new BookedRoom.BookingPeriod(nowMs, endMs),
            BookedRoom.Asker.nobody(),
            sharing)
        : booked.openInside(reservation, node, sharing);
  }

  private boolean fit(List<NodeShare> shares, long endMs) {
    Map<String, Map<String, Long>> wanted = new HashMap<>();
    for (NodeShare share : shares) {
      NodeAmounts.add(
          wanted.computeIfAbsent(share.getNode(), name -> new HashMap<>()), share.getAmounts());
    }
    Set<String> hosts = new HashSet<>();
    Set<String> alone = new HashSet<>();
    for (Map.Entry<String, Map<String, Long>> want : wanted.entrySet()) {
      Node node = view.nodes().get(want.getKey());
      ClusterObject object = PartitionTable.node(view, want.getKey());
      if (!usable(node, object)
          || !beside(node, object)
          || !unbooked(node, object, endMs)
          || !NodeAmounts.fits(
              free(node, object, endMs), compared.of(want.getValue(), node, object))) {
        return false;
      }
      hosts.add(node.getHost());
      if (sharing(object) == Sharing.EXCLHOST) {
        alone.add(node.getHost());
      }
    }
    return hostsAreOpen(hosts, alone);
  }

  /** Whether the run may share the node with the runs that are on it and with bookings. */
  public boolean open(Node node, ClusterObject object) {
    return beside(node, object) && unbooked(node, object, RunTimes.ifStarted(job, nowMs));
  }

  private boolean beside(Node node, ClusterObject object) {
    return node.getHoldings().isEmpty()
        || sharing(object) == Sharing.SHARED && sharing(node, object) == Sharing.SHARED;
  }

  /** The sharing that the run allows on a node. */
  private Sharing sharing(ClusterObject object) {
    return JobRecords.sharing(asked, gridEngine, object);
  }

  /**
   * The sharing that the runs on a node allow; an exclusive run is the only one, so any of them
   * tells.
   */
  private Sharing sharing(Node node, ClusterObject object) {
    Job job = view.jobs().get(Keys.number(node.getHoldings().get(0).getNumber()));
    return job == null ? Sharing.SHARED : JobRecords.sharing(job, job.getAllocation(), object);
  }

  /** Whether a node may get runs at all now. */
  public static boolean usable(Node node, ClusterObject object) {
    return node != null
        && object != null
        && node.getUp()
        && node.getOfferedTo() < 0
        && NodeLoads.away(node.getMeasured()) == 0
        && !"offline".equals(Context.attribute(object, "state", ""));
  }

  /** Whether the node has the properties that some kind of chunk asks for. */
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
          .filter(m -> compared.asks(m.getKey(), shown))
          .allMatch(m -> NodeAmounts.matches(shown, m.getKey(), m.getValue(), resources))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether no run is on other nodes of the hosts that the job wants exclusively, and no run holds
   * one of its hosts exclusively. All nodes of this shard are looked at only when some job is
   * exclusive for its host.
   */
  private boolean hostsAreOpen(Set<String> hosts, Set<String> alone) {
    if (alone.isEmpty() && ShardNumbers.of(view).getExclusiveHosts() == 0) {
      return true;
    }
    boolean[] open = {true};
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              open[0] =
                  node.getHoldings().isEmpty()
                      || !alone.contains(node.getHost())
                          && !(hosts.contains(node.getHost()) && hasHost(node));
              return open[0];
            });
    return open[0];
  }

  /** Whether the runs on a node, which is not empty, hold its host exclusively. */
  private boolean hasHost(Node node) {
    return sharing(node, PartitionTable.node(view, node.getName())) == Sharing.EXCLHOST;
  }

  /**
   * Hosts of this shard on which something runs.
   *
   * @param busy all of them
   * @param taken those that a run holds exclusively
   */
  public record OccupiedHosts(Set<String> busy, Set<String> taken) {}

  public OccupiedHosts hosts() {
    OccupiedHosts hosts = new OccupiedHosts(new HashSet<>(), new HashSet<>());
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              if (!node.getHoldings().isEmpty()) {
                hosts.busy.add(node.getHost());
                if (hasHost(node)) {
                  hosts.taken.add(node.getHost());
                }
              }
              return true;
            });
    return hosts;
  }

  /** Whether nothing on other nodes of its host keeps the run from a node. */
  public boolean open(OccupiedHosts hosts, Node node, ClusterObject object) {
    return !hosts.taken.contains(node.getHost())
        && (sharing(object) != Sharing.EXCLHOST || !hosts.busy.contains(node.getHost()));
  }
}
