package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schemas.HostName;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configured cluster as it can be used now: queue instances of hosts that are up, and hosts
 * whose slots are limited by the processors of their nodes.
 */
final class LiveCluster {

  private final Configuration configuration;
  private final Map<String, QueueInstance> queues = new LinkedHashMap<>();
  private final Map<String, ExecHost> hosts;
  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, String> hostOfNode = new HashMap<>();
  private final List<Reason> unavailable = new ArrayList<>();

  LiveCluster(Configuration configuration, LiveState state, Collection<LiveTask> tasks) {
    this.configuration = configuration;
    this.hosts = new HashMap<>(configuration.cluster().hosts());
    Map<String, Long> slots = new LinkedHashMap<>();
    for (QueueInstance queue : configuration.cluster().queues()) {
      Optional<Node> node = state.hosts().usable(queue.host(), state.partitions());
      if (node.isPresent()) {
        queues.put(queue.name(), queue);
        if (nodes.put(queue.host(), node.get()) == null) {
          report(queue.host(), node.get());
          place(queue.host(), HostName.cluster(node.get().getHost()));
        }
        slots.merge(queue.host(), (long) queue.slots(), Long::sum);
      } else {
        unavailable.add(Reason.of(Reason.Code.QUEUE_UNAVAILABLE, queue.name()));
      }
    }
    slots.forEach(
        (host, all) -> {
          long processors = state.hosts().processors(nodes.get(host));
          // What is booked is booked of the host, which therefore needs a number of slots.
          if (all > processors || state.bookings().any(nodes.get(host).getName())) {
            limit(host, processors);
          }
        });
    nodes.forEach((host, node) -> hostOfNode.put(node.getName(), host));
    tasks.stream().filter(LiveTask::holds).forEach(task -> keep(task.assignment));
  }

  private void report(String name, Node node) {
    Map<String, String> loads = NodeLoads.texts(node.getMeasured());
    if (!loads.isEmpty()) {
      ExecHost host = configuration.cluster().host(name);
      hosts.put(name, host.reporting(loads, configuration.cluster().complexes()));
    }
  }

  /** A host whose node is of a cluster of another system is one of that cluster's. */
  private void place(String name, String cluster) {
    if (!cluster.isEmpty()) {
      hosts.put(name, hosts.getOrDefault(name, ExecHost.plain(name)).of(cluster));
    }
  }

  /** Limits a host's slots to the processors of its node, since the shard would refuse more. */
  private void limit(String name, long processors) {
    ExecHost host = hosts.getOrDefault(name, ExecHost.plain(name));
    double configured = host.offers().capacities().getOrDefault("slots", (double) processors);
    hosts.put(
        name, host.offering(host.offers().withCapacity("slots", Math.min(configured, processors))));
  }

  /** The host of each usable node. */
  Map<String, String> hostOfNode() {
    return hostOfNode;
  }

  /** Keeps the queue instance of a run in the cluster although it takes no other job. */
  private void keep(Assignment assignment) {
    for (Grant grant : assignment.grants()) {
      queues.computeIfAbsent(grant.queue().name(), name -> closed(grant.queue()));
    }
  }

  /** A copy that takes no jobs. */
  static QueueInstance closed(QueueInstance queue) {
    return new QueueInstance(
        queue.queue(),
        queue.host(),
        queue.settings().with("initial_state", "disabled"),
        queue.offers(),
        queue.access());
  }

  /** Queue instances whose hosts cannot be used now. */
  List<Reason> unavailable() {
    return unavailable;
  }

  /** The node of a host of a usable queue instance. */
  Node node(String host) {
    return nodes.get(host);
  }

  /**
   * @param environments in the order in which wildcard requests try them
   * @param tasks running tasks, whose environments are kept although they are no longer configured
   */
  Cluster cluster(List<ParallelEnvironment> environments, Collection<LiveTask> tasks) {
    Cluster configured = configuration.cluster();
    List<ParallelEnvironment> all = new ArrayList<>(environments);
    for (LiveTask task : tasks) {
      if (task.holds()) {
        task.assignment
            .environment()
            .filter(held -> all.stream().noneMatch(e -> e.name().equals(held.name())))
            .ifPresent(all::add);
      }
    }
    return new Cluster(
        configured.complexes(),
        List.copyOf(queues.values()),
        Map.copyOf(hosts),
        all,
        configured.groups(),
        configured.accessLists());
  }
}
