package io.millrace.server.core.run.grant;

import io.millrace.schemas.HostName;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.ComparedAmounts;
import io.millrace.server.core.placement.NodeRoom;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.PlacementCheck;
import io.millrace.server.core.placement.SetCheck;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds room for qrun: on the nodes that he names, or on the first ones of its queue by name that
 * take it.
 */
final class QrunPlacement {
  private final View view;
  private final ResourceTable resources;
  private final Job job;
  private final Predicate<ClusterObject> serves;
  private final NodeRoom room;
  private final ComparedAmounts compared;
  private final Arrangement arrangement;
  private final PlacementRule sets;

  /**
   * @param sets placement sets in one of which the job has to lie
   * @param serves whether a node may run the job
   */
  QrunPlacement(
      View view,
      ResourceTable resources,
      Job job,
      long nowMs,
      PlacementRule sets,
      Predicate<ClusterObject> serves) {
    this.view = view;
    this.resources = resources;
    this.job = job;
    this.serves = serves;
    this.room = new NodeRoom(view, resources, job, false, nowMs);
    this.compared = ComparedAmounts.of(view, resources, job);
    this.arrangement = JobRecords.placement(job).arrangement();
    this.sets = sets;
  }

  /**
   * A share for each chunk.
   *
   * @param named nodes that take the chunks in turn; none: wherever there is room
   * @param partition to which these have to belong
   */
  List<NodeShare> shares(List<String> named, String partition) throws PbsRefusal {
    for (String name : named) {
      ClusterObject object = PartitionTable.node(view, name);
      if (object == null) {
        throw new PbsRefusal(PbsError.UNKNOWN_NODE);
      }
      if (!partition.equals(PartitionTable.partitionOf(object))) {
        throw new PbsRefusal(
            PbsError.NODE_PARTITION_NOT_OF_QUEUE, PartitionTable.partitionOf(object));
      }
    }
    refuseMoreThanIsFree();
    List<NodeShare> found = named.isEmpty() ? search() : inTurn(named);
    if (found == null) {
      throw new PbsRefusal(PbsError.INSUFFICIENT, " on the nodes as the job asks for them");
    }
    if (!PlacementCheck.ofOneCluster(view, found)) {
      throw new PbsRefusal(PbsError.SEVERAL_CLUSTERS);
    }
    return found;
  }

  private List<Chunk> chunks() {
    return job.getSpec().getRequest().getChunks();
  }

  private List<NodeShare> inTurn(List<String> named) {
    List<NodeShare> shares = new ArrayList<>();
    for (Chunk chunk : chunks()) {
      for (int i = 0; i < chunk.getCount(); i++) {
        Node node = view.nodes().get(named.get(shares.size() % named.size()));
        if (node == null || !candidate(node).shows(chunk, resources, compared)) {
          return null;
        }
        shares.add(ChunkFit.share(node, chunk));
      }
    }
    return fits(shares) ? shares : null;
  }

  private boolean fits(List<NodeShare> shares) {
    return room.has(serves, shares, job.getSpec().getRequest())
        && PlacementCheck.kept(view, arrangement, shares)
        && SetCheck.kept(view, sets, shares, resources);
  }

  private List<NodeShare> search() {
    List<ChunkFit.CandidateNode> all = new ArrayList<>();
    NodeRoom.OccupiedHosts hosts = room.hosts();
    for (Node node : nodes().values()) {
      ClusterObject object = PartitionTable.node(view, node.getName());
      if (NodeRoom.usable(node, object)
          && room.open(node, object)
          && room.open(hosts, node, object)) {
        all.add(candidate(node));
      }
    }
    for (List<ChunkFit.CandidateNode> together : inSets(all)) {
      List<NodeShare> found = lay(together);
      if (found != null) {
        return found;
      }
    }
    return sets.grouped() && sets.spans() && !everFitsASet() ? lay(all) : null;
  }

  /**
   * Shares on some of these nodes, on one host where the job is packed, else all on hosts of one
   * cluster or of none; null for none.
   */
  private List<NodeShare> lay(List<ChunkFit.CandidateNode> on) {
    for (List<ChunkFit.CandidateNode> together : apart(on)) {
      List<NodeShare> found =
          new ChunkFit(resources, compared, arrangement).lay(chunks(), together);
      if (found != null && fits(found)) {
        return found;
      }
    }
    return null;
  }

  /** Whether the job would fit into a placement set if nothing ran. */
  private boolean everFitsASet() {
    for (List<ChunkFit.CandidateNode> set : inSets(whole())) {
      for (List<ChunkFit.CandidateNode> together : apart(set)) {
        if (new ChunkFit(resources, compared, arrangement).lay(chunks(), together) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** All nodes with all that they have. */
  private List<ChunkFit.CandidateNode> whole() {
    List<ChunkFit.CandidateNode> all = new ArrayList<>();
    for (Node node : nodes().values()) {
      ClusterObject object = PartitionTable.node(view, node.getName());
      all.add(
          new ChunkFit.CandidateNode(
              node,
              object,
              NodeAmounts.properties(node, object, resources),
              NodeAmounts.capacity(node, object, resources)));
    }
    return all;
  }

  private TreeMap<String, Node> nodes() {
    TreeMap<String, Node> nodes = new TreeMap<>();
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              ClusterObject object = PartitionTable.node(view, name);
              if (object != null && serves.test(object)) {
                nodes.put(name, node);
              }
              return true;
            });
    return nodes;
  }

  private ChunkFit.CandidateNode candidate(Node node) {
    ClusterObject object = PartitionTable.node(view, node.getName());
    return new ChunkFit.CandidateNode(
        node, object, NodeAmounts.properties(node, object, resources), room.free(node, object));
  }

  /** Nodes that one run may have together; each of all is the same to one of a single chunk. */
  private Collection<List<ChunkFit.CandidateNode>> apart(List<ChunkFit.CandidateNode> nodes) {
    if (arrangement == Arrangement.PACK) {
      return split(nodes, it -> List.of(it.node().getHost())).values();
    }
    return chunks().stream().mapToInt(Chunk::getCount).sum() == 1
        ? List.of(nodes)
        : split(nodes, it -> List.of(HostName.cluster(it.node().getHost()))).values();
  }

  /** The nodes of each placement set, smallest set first; all together where there are none. */
  private Collection<List<ChunkFit.CandidateNode>> inSets(List<ChunkFit.CandidateNode> nodes) {
    if (!sets.grouped()) {
      return List.of(nodes);
    }
    Map<String, Map<String, Long>> sizes = new HashMap<>();
    for (ChunkFit.CandidateNode node : whole()) {
      for (String name : sets.sets(node.properties())) {
        NodeAmounts.add(sizes.computeIfAbsent(name, it -> new HashMap<>()), node.free());
      }
    }
    Comparator<Map.Entry<String, List<ChunkFit.CandidateNode>>> order =
        Comparator.comparingLong(it -> amount(sizes, it.getKey(), "ncpus"));
    return split(nodes, it -> sets.sets(it.properties())).entrySet().stream()
        .sorted(order.thenComparingLong(it -> amount(sizes, it.getKey(), "mem")))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static long amount(Map<String, Map<String, Long>> sizes, String set, String resource) {
    return sizes.get(set).getOrDefault(resource, 0L);
  }

  private static Map<String, List<ChunkFit.CandidateNode>> split(
      List<ChunkFit.CandidateNode> nodes, Function<ChunkFit.CandidateNode, List<String>> values) {
    Map<String, List<ChunkFit.CandidateNode>> byValue = new LinkedHashMap<>();
    for (ChunkFit.CandidateNode node : nodes) {
      for (String value : values.apply(node)) {
        byValue.computeIfAbsent(value, it -> new ArrayList<>()).add(node);
      }
    }
    return byValue;
  }

  /**
   * Refuses with PBS's text when more of a resource is asked for than is free on all nodes, or than
   * exists.
   */
  private void refuseMoreThanIsFree() throws PbsRefusal {
    Map<String, Long> wanted = new TreeMap<>();
    for (Chunk chunk : chunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> wanted.merge(name, amount * chunk.getCount(), Long::sum));
    }
    Map<String, Long> free = new HashMap<>();
    Map<String, Long> total = new HashMap<>();
    for (Node node : nodes().values()) {
      ClusterObject object = PartitionTable.node(view, node.getName());
      NodeAmounts.add(free, room.free(node, object));
      NodeAmounts.add(total, NodeAmounts.capacity(node, object, resources));
    }
    for (Map.Entry<String, Long> want : wanted.entrySet()) {
      String name = want.getKey();
      if (NodeAmounts.withoutLimit(name) || !compared.compares(name) || compared.isEndless(name)) {
        continue; // its nodes are asked one by one, if at all
      }
      long all = total.getOrDefault(name, 0L);
      boolean never = want.getValue() > all;
      long there = never ? all : Math.max(0, free.getOrDefault(name, 0L));
      if (want.getValue() > there) {
        String numbers =
            ": %s (R: %s A: %s T: %s)"
                .formatted(
                    name, amount(name, want.getValue()), amount(name, there), amount(name, all));
        throw new PbsRefusal(PbsError.INSUFFICIENT, numbers);
      }
    }
  }

  private String amount(String name, long amount) {
    return resources.find(name).map(it -> Amounts.format(it, amount)).orElse("" + amount);
  }
}
