package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The nodes of a partition as exec hosts: a host is the node of the same name. */
final class ExecHosts {

  static final String SLOT = "ncpus";

  private final Map<String, ClusterObject> objects = new HashMap<>();
  private final Map<String, Node> nodes = new HashMap<>();

  /**
   * Processors held by jobs that were not submitted in Grid Engine's way or belong to another
   * scheduler, by job and node.
   */
  private final Map<Long, Map<String, Long>> others = new HashMap<>();

  void written(ClusterObject node) {
    objects.put(node.getName(), node);
  }

  void deleted(String name) {
    objects.remove(name);
  }

  void node(Node node) {
    nodes.put(node.getName(), node);
  }

  /** The record of a node that reports itself up. */
  Node up(String name, String host, Map<String, Long> measured) {
    Node.Builder node = known(name).map(Node::newBuilder).orElseGet(Node::newBuilder);
    if (!node.hasHoldings()) {
      node.setHoldings(List.of());
    }
    return node.setName(name).setHost(host).setUp(true).setMeasured(measured).build();
  }

  void gone(String name) {
    nodes.remove(name);
  }

  Optional<Node> known(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** Records processors that a job outside this scheduler or dialect holds; always true. */
  boolean heldByOther(long job, Allocation allocation) {
    Map<String, Long> processors = new HashMap<>();
    for (NodeShare share : allocation.getShares()) {
      long held = share.getAmounts().getOrDefault(SLOT, 0L);
      processors.merge(share.getNode(), held, Long::sum);
    }
    others.put(job, Map.copyOf(processors));
    return true;
  }

  /** Whether the job holds processors of nodes of these partitions. */
  boolean anyHeldBy(long job, Set<String> partitions) {
    return others.getOrDefault(job, Map.of()).keySet().stream()
        .anyMatch(node -> within(node, partitions));
  }

  private boolean within(String node, Set<String> partitions) {
    ClusterObject object = objects.get(node);
    return object != null
        && partitions.contains(ObjectAttributes.text(object, "partition", DefaultNames.PARTITION));
  }

  /** Drops what the job held; returns whether it held any processors. */
  boolean released(long job) {
    return others.remove(job) != null;
  }

  /**
   * The usable node for a host name: the node of that name, or of its part before the first dot.
   * Empty when there is none.
   */
  Optional<Node> usable(String host, Set<String> partitions) {
    Node node = nodes.get(host);
    if (node == null && host.indexOf('.') > 0) {
      node = nodes.get(host.substring(0, host.indexOf('.')));
    }
    ClusterObject object = node == null ? null : objects.get(node.getName());
    boolean usable =
        object != null
            && node.getUp()
            && node.getOfferedTo() < 0
            && NodeLoads.away(node.getMeasured()) == 0
            && !ObjectAttributes.text(object, "state", "").equals("offline")
            && within(node.getName(), partitions);
    return usable ? Optional.of(node) : Optional.empty();
  }

  /** Processors of a node that the dialect may use. */
  long processors(Node node) {
    long total =
        NodeAmounts.capacity(node, objects.get(node.getName()), ResourceTable.standard())
            .getOrDefault(SLOT, 0L);
    total -= NodeLoads.held(node.getMeasured()).getOrDefault(SLOT, 0L);
    for (Map<String, Long> held : others.values()) {
      total -= held.getOrDefault(node.getName(), 0L);
    }
    return Math.max(0, total);
  }
}
