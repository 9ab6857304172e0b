package io.millrace.server.gridengine.advance;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gateway.reservation.RunsOfSite;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Processors of nodes that nobody has at any time of a window. The shard looks once more. */
final class FreeSlots {

  private static final String SLOT = "ncpus";

  /** More than any node has: all of it. */
  private static final long ALL = Integer.MAX_VALUE;

  private final long startMs;
  private final long endMs;

  /** By node, at each time at which it changes: how much more is taken from then on. */
  private final Map<String, TreeMap<Long, Long>> changes = new HashMap<>();

  private final List<Node> nodes;
  private final Map<String, ClusterObject> objects = new HashMap<>();

  FreeSlots(AdvanceTimes window, List<Node> nodes, Collection<ClusterObject> objects) {
    this.startMs = window.startMs();
    this.endMs = window.endMs();
    this.nodes = nodes;
    objects.forEach(it -> this.objects.put(it.getName(), it));
  }

  /** Notes that somebody has processors of a node for a time. */
  void take(String node, long processors, long fromMs, long toMs) {
    long from = Math.max(fromMs, startMs);
    long to = Math.min(toMs, endMs);
    if (from < to && processors > 0) {
      TreeMap<Long, Long> ofNode = changes.computeIfAbsent(node, it -> new TreeMap<>());
      ofNode.merge(from, processors, Long::sum);
      ofNode.merge(to, -processors, Long::sum);
    }
  }

  /** What is left of so many processors of a node throughout the window. */
  long left(String node, long processors) {
    long taken = 0;
    long most = 0;
    for (long change : changes.getOrDefault(node, new TreeMap<>()).values()) {
      taken += change;
      most = Math.max(most, taken);
    }
    return Math.max(0, processors - most);
  }

  /**
   * What all reservations and runs of the site leave in a window.
   *
   * @param runs is told of each run in some partitions whose licences no reservation counts
   * @param wanted which partitions
   */
  static FreeSlots of(Call call, AdvanceTimes window, Consumer<Job> runs, Predicate<String> wanted)
      throws QueryException, InterruptedException {
    Site site = call.wholeSite();
    FreeSlots free =
        new FreeSlots(window, site.queries().nodes(), site.cluster().all(ObjectKind.NODE));
    Map<String, Reservation> reserved = new HashMap<>();
    for (Reservation each : site.queries().reservations()) {
      reserved.put(each.getQueue(), each);
      for (BookedTime time : BookedTime.of(each)) {
        free.take(time.booked(), time.startMs(), time.endMs());
      }
    }
    RunsOfSite.staying(
        call,
        job -> {
          String queue = job.getSpec().getQueue();
          Reservation its = reserved.get(queue);
          if (its == null) {
            String place = job.getSpec().getRequest().getPlace();
            free.take(job.getAllocation(), place, RunsOfSite.endMs(job));
          }
          if (takesByItself(its) && wanted.test(partition(call, its, queue))) {
            runs.accept(job);
          }
        });
    return free;
  }

  /**
   * Whether what a run takes besides processors is not already taken by its reservation: those of
   * other commands have processors alone.
   *
   * @param its null outside of reservations
   */
  static boolean takesByItself(Reservation its) {
    return its == null || its.getSpec().getGridEngine() == null;
  }

  private static String partition(Call call, Reservation its, String queue) {
    return its == null
        ? call.site().cluster().find(ObjectKind.QUEUE, queue).map(Site::partitionOf).orElse("")
        : its.getSpec().getPartition();
  }

  /** The runs that had nodes before anybody looked at what they take. */
  Set<String> runs() {
    return runs(nodes);
  }

  /** The runs that have nodes now, each of a job once. */
  static Set<String> runs(List<Node> nodes) {
    return nodes.stream()
        .flatMap(node -> node.getHoldings().stream())
        .map(it -> it.getJobId() + " " + it.getRun())
        .collect(Collectors.toSet());
  }

  /** Nodes of a partition that could be reserved, with what is left of each. */
  Map<String, Long> ofPartition(String partition, ResourceTable table) {
    Map<String, Long> left = new TreeMap<>();
    for (Node node : nodes) {
      ClusterObject object = objects.get(node.getName());
      if (object != null
          && node.getUp()
          && Site.partitionOf(object).equals(partition)
          && OtherWords.reservable(object)) {
        long all = NodeAmounts.capacity(node, object, table).getOrDefault(SLOT, 0L);
        left.put(node.getName(), left(node.getName(), all));
      }
    }
    return left;
  }

  /** Notes what a run has until it ends; of a node or host that it does not share, all. */
  void take(Allocation run, String place, long toMs) {
    Sharing asked = PlaceRequest.of(place).sharing();
    boolean own = run.getGridEngine() != null; // its sharing is not said by the nodes
    for (NodeShare share : run.getShares()) {
      ClusterObject object = own ? null : objects.get(share.getNode());
      Sharing sharing = asked.on(NodeAmounts.sharing(object));
      boolean alone = sharing != Sharing.SHARED;
      take(share.getNode(), alone ? ALL : share.getAmounts().getOrDefault(SLOT, 0L), 0, toMs);
      if (sharing == Sharing.EXCLHOST) {
        nodes.stream()
            .filter(it -> it.getHost().equals(share.getHost()))
            .forEach(it -> take(it.getName(), ALL, 0, toMs));
      }
    }
  }

  private void take(List<BookedNode> booked, long fromMs, long toMs) {
    for (BookedNode each : booked) {
      long processors = each.getExclusive() ? ALL : each.getAmounts().getOrDefault(SLOT, 0L);
      take(each.getNode(), processors, fromMs, toMs);
    }
  }
}
