package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import io.millrace.schemas.NodeLoads;
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
import java.util.TreeMap;

/** The nodes of the shard, and what jobs hold of them. */
final class OriginHosts {

  private static final double MILLIONTHS = 1e6;

  private final Map<String, ClusterObject> objects = new HashMap<>();
  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, ClusterObject> resources = new TreeMap<>();
  private final Map<Long, List<NodeShare>> holdings = new HashMap<>();

  /** What all of them hold of each node. */
  private final Map<String, Map<String, Long>> held = new HashMap<>();

  private ResourceTable table = ResourceTable.standard();

  void written(ClusterObject node) {
    objects.put(node.getName(), node);
  }

  void deleted(String name) {
    objects.remove(name);
  }

  void resource(ClusterObject resource) {
    resources.put(resource.getName(), resource);
    table = ResourceTable.of(resources.values());
  }

  void resourceDeleted(String name) {
    resources.remove(name);
    table = ResourceTable.of(resources.values());
  }

  void node(Node node) {
    nodes.put(node.getName(), node);
  }

  void up(String name, String host, Map<String, Long> measured) {
    Node.Builder node = known(name).map(Node::newBuilder).orElseGet(Node::newBuilder);
    if (!node.hasHoldings()) {
      node.setHoldings(List.of());
    }
    nodes.put(name, node.setName(name).setHost(host).setUp(true).setMeasured(measured).build());
  }

  void down(String name) {
    known(name).ifPresent(it -> nodes.put(name, Node.newBuilder(it).setUp(false).build()));
  }

  void offered(String name, int to) {
    known(name).ifPresent(it -> nodes.put(name, Node.newBuilder(it).setOfferedTo(to).build()));
  }

  void gone(String name) {
    nodes.remove(name);
  }

  Optional<Node> known(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  void hold(long job, List<NodeShare> shares) {
    release(job);
    holdings.put(job, shares);
    for (NodeShare share : shares) {
      NodeAmounts.add(
          held.computeIfAbsent(share.getNode(), it -> new HashMap<>()), share.getAmounts());
    }
  }

  void release(long job) {
    List<NodeShare> shares = holdings.remove(job);
    if (shares != null) {
      shares.forEach(it -> NodeAmounts.subtract(held.get(it.getNode()), it.getAmounts()));
    }
  }

  /**
   * The node for a host of the configuration: that of the name, or of its part before the first
   * dot. Empty when there is none that may be used.
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
            && partitions.contains(
                ObjectAttributes.text(object, "partition", DefaultNames.PARTITION));
    return usable ? Optional.of(node) : Optional.empty();
  }

  /** A node as a host: with as many nodes of the machine as it has whole ones. */
  OriginHostState state(String host, Node node) {
    Map<String, Long> has =
        new HashMap<>(NodeAmounts.capacity(node, objects.get(node.getName()), table));
    NodeAmounts.subtract(has, NodeLoads.held(node.getMeasured()));
    long byProcessors = has.getOrDefault("ncpus", 0L) / OriginNodes.PROCESSORS;
    long byMemory = has.getOrDefault("mem", 0L) / OriginNodes.MEMORY;
    long whole = Math.max(0, Math.min(byProcessors, byMemory));
    double load =
        node.getMeasured().getOrDefault(NodeLoads.PREFIX + "load_medium", 0L) / MILLIONTHS;
    return new OriginHostState(
        host, whole * OriginNodes.PROCESSORS, whole * OriginNodes.MEMORY, load, "global");
  }

  /** Whether a node has room for amounts beside what jobs hold of it. */
  boolean fits(Node node, Map<String, Long> amounts) {
    Map<String, Long> free =
        new HashMap<>(NodeAmounts.capacity(node, objects.get(node.getName()), table));
    NodeAmounts.subtract(free, held.getOrDefault(node.getName(), Map.of()));
    NodeAmounts.subtract(free, NodeLoads.held(node.getMeasured()));
    return NodeAmounts.fits(free, amounts);
  }
}
