package io.millrace.server.gridengine.advance;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gateway.reservation.RunsOfSite;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Processors of nodes that nobody has at any time of a window. The shard looks once more. */
final class FreeSlots {

  private static final String SLOT = "ncpus";

  /** More than any node has: all of it. */
  private static final long ALL = Integer.MAX_VALUE;

  private final long startMs;
  private final long endMs;

  /** By node, at each time at which it changes: how much more is taken from then on. */
  private final Map<String, TreeMap<Long, Long>> changes = new HashMap<>();

  FreeSlots(AdvanceTimes window) {
    this.startMs = window.startMs();
    this.endMs = window.endMs();
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

  /** Nodes of a partition that could be reserved, with what is left of each. */
  static Map<String, Long> of(Call call, String partition, AdvanceTimes window)
      throws QueryException, InterruptedException {
    FreeSlots free = new FreeSlots(window);
    Site site = call.wholeSite();
    Set<String> reserved = new HashSet<>();
    for (Reservation each : site.queries().reservations()) {
      reserved.add(each.getQueue());
      for (BookedTime time : BookedTime.of(each)) {
        free.take(time.booked(), time.startMs(), time.endMs());
      }
    }
    RunsOfSite.staying(
        call,
        job -> {
          if (!reserved.contains(job.getSpec().getQueue())) {
            for (NodeShare share : job.getAllocation().getShares()) {
              long processors = share.getAmounts().getOrDefault(SLOT, 0L);
              free.take(share.getNode(), processors, 0, RunsOfSite.endMs(job));
            }
          }
        });
    Map<String, ClusterObject> objects = new HashMap<>();
    site.cluster().all(ObjectKind.NODE).forEach(it -> objects.put(it.getName(), it));
    ResourceTable table = site.resources();
    Map<String, Long> left = new TreeMap<>();
    for (Node node : site.queries().nodes()) {
      ClusterObject object = objects.get(node.getName());
      if (object != null
          && node.getUp()
          && Site.partitionOf(object).equals(partition)
          && OtherWords.reservable(object)) {
        long all = NodeAmounts.capacity(node, object, table).getOrDefault(SLOT, 0L);
        left.put(node.getName(), free.left(node.getName(), all));
      }
    }
    return left;
  }

  private void take(List<BookedNode> booked, long fromMs, long toMs) {
    for (BookedNode each : booked) {
      long processors = each.getExclusive() ? ALL : each.getAmounts().getOrDefault(SLOT, 0L);
      take(each.getNode(), processors, fromMs, toMs);
    }
  }
}
