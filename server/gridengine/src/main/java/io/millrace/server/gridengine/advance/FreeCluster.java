package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.server.gridengine.cell.CellHosts;
import io.millrace.server.gridengine.cell.CellReservations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The configured cluster with no more than what is free in a window, as if nothing else ran. */
final class FreeCluster {

  /** What a host reports and keeps; loads of now say nothing of a time to come. */
  private static final Set<String> LASTING =
      Set.of("arch", "num_proc", "mem_total", "swap_total", "virtual_total");

  private final Map<String, Long> free;

  /**
   * @param free processors by node
   */
  FreeCluster(Map<String, Long> free) {
    this.free = free;
  }

  /** The node that a host means, if something of it could be reserved. */
  Optional<String> node(String host) {
    return free.keySet().stream().filter(it -> CellReservations.isNode(host, it)).findFirst();
  }

  /**
   * The cluster.
   *
   * @param wanted which queue instances may be reserved
   */
  Cluster of(Cluster cluster, CellHosts reports, Predicate<QueueInstance> wanted) {
    List<QueueInstance> queues =
        cluster.queues().stream()
            .filter(it -> !it.disabled() && !it.suspended() && it.ambiguities().isEmpty())
            .filter(it -> node(it.host()).isPresent() && wanted.test(it))
            .toList();
    Map<String, ExecHost> hosts = new HashMap<>(cluster.hosts());
    for (QueueInstance queue : queues) {
      ExecHost host = cluster.host(queue.host()).of(reports.outside(queue.host()));
      hosts.put(queue.host(), limited(host, reports.loads(queue.host())));
    }
    return new Cluster(
        cluster.complexes(),
        queues,
        hosts,
        cluster.environments(),
        cluster.groups(),
        cluster.accessLists());
  }

  private ExecHost limited(ExecHost host, Map<String, String> reported) {
    Map<String, String> lasting = new HashMap<>(reported);
    lasting.keySet().retainAll(LASTING);
    long left = free.get(node(host.name()).orElseThrow());
    double slots = host.offers().capacities().getOrDefault("slots", (double) left);
    return host.offering(
        host.offers().withLoads(lasting).withCapacity("slots", Math.min(slots, left)));
  }
}
