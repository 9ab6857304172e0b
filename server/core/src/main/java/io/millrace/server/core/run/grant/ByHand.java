package io.millrace.server.core.run.grant;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.Placement.Arrangement;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.Refused;
import io.millrace.server.core.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Room for a job that an operator has run now: on the nodes that he names, or on the first ones of
 * its queue by name that take it.
 */
final class ByHand {
  private final View view;
  private final ResourceTable resources;
  private final Job job;
  private final Predicate<ClusterObject> serves;
  private final Room room;
  private final io.millrace.reservations.resources.Placement placement;

  /**
   * @param serves whether a node may run the job
   */
  ByHand(View view, ResourceTable resources, Job job, Predicate<ClusterObject> serves) {
    this.view = view;
    this.resources = resources;
    this.job = job;
    this.serves = serves;
    this.room = new Room(view, resources, job, false);
    this.placement = JobTable.placement(job);
  }

  /**
   * A share for each chunk.
   *
   * @param named nodes that take the chunks in turn; none: wherever there is room
   * @param partition to which these have to belong
   */
  List<NodeShare> shares(List<String> named, String partition) throws Refused {
    for (String name : named) {
      ClusterObject object = Placement.node(view, name);
      if (object == null) {
        throw new Refused(PbsError.UNKNOWN_NODE);
      }
      if (!partition.equals(Placement.partitionOf(object))) {
        throw new Refused(PbsError.NODE_PARTITION_NOT_OF_QUEUE, Placement.partitionOf(object));
      }
    }
    refuseMoreThanIsFree();
    List<NodeShare> found = named.isEmpty() ? search() : inTurn(named);
    if (found == null) {
      throw new Refused(PbsError.INSUFFICIENT, " on the nodes as the job asks for them");
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
        if (node == null || !candidate(node).shows(chunk, resources)) {
          return null;
        }
        shares.add(FirstFit.share(node, chunk));
      }
    }
    return fits(shares) ? shares : null;
  }

  private boolean fits(List<NodeShare> shares) {
    return room.has(serves, shares, job.getSpec().getRequest())
        && Arrangements.kept(view, placement, shares, resources);
  }

  private List<NodeShare> search() {
    List<FirstFit.Candidate> all = new ArrayList<>();
    Room.Hosts hosts = room.hosts();
    for (Node node : nodes().values()) {
      ClusterObject object = Placement.node(view, node.getName());
      if (room.usable(node, object) && room.open(node, object) && room.open(hosts, node, object)) {
        all.add(candidate(node));
      }
    }
    for (List<FirstFit.Candidate> together : candidates(all)) {
      FirstFit search = new FirstFit(resources, placement.arrangement());
      List<NodeShare> found = search.lay(chunks(), together);
      if (found != null && fits(found)) {
        return found;
      }
    }
    return null;
  }

  private TreeMap<String, Node> nodes() {
    TreeMap<String, Node> nodes = new TreeMap<>();
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              ClusterObject object = Placement.node(view, name);
              if (object != null && serves.test(object)) {
                nodes.put(name, node);
              }
              return true;
            });
    return nodes;
  }

  private FirstFit.Candidate candidate(Node node) {
    ClusterObject object = Placement.node(view, node.getName());
    return new FirstFit.Candidate(
        node,
        NodeAmounts.properties(node, object, resources),
        NodeAmounts.free(node, object, resources));
  }

  /** Nodes that may hold the job together: those of one host, of one value, or all. */
  private Collection<List<FirstFit.Candidate>> candidates(List<FirstFit.Candidate> all) {
    Collection<List<FirstFit.Candidate>> sets = List.of(all);
    if (placement.arrangement() == Arrangement.PACK) {
      sets = split(sets, it -> List.of(it.node().getHost()));
    }
    if (!placement.group().isEmpty() && chunks().stream().mapToInt(Chunk::getCount).sum() > 1) {
      sets = split(sets, it -> values(it.properties().getOrDefault(placement.group(), "")));
    }
    return sets;
  }

  private static List<String> values(String list) {
    return List.of(list.split(",")).stream()
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private static Collection<List<FirstFit.Candidate>> split(
      Collection<List<FirstFit.Candidate>> sets,
      Function<FirstFit.Candidate, List<String>> values) {
    List<List<FirstFit.Candidate>> parts = new ArrayList<>();
    for (List<FirstFit.Candidate> set : sets) {
      Map<String, List<FirstFit.Candidate>> byValue = new LinkedHashMap<>();
      for (FirstFit.Candidate candidate : set) {
        for (String value : values.apply(candidate)) {
          byValue.computeIfAbsent(value, it -> new ArrayList<>()).add(candidate);
        }
      }
      parts.addAll(byValue.values());
    }
    return parts;
  }

  /**
   * In PBS's words: all that is asked for of a resource against all that is free of it, or that
   * there is of it when that is not enough either.
   */
  private void refuseMoreThanIsFree() throws Refused {
    Map<String, Long> wanted = new TreeMap<>();
    for (Chunk chunk : chunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> wanted.merge(name, amount * chunk.getCount(), Long::sum));
    }
    Map<String, Long> free = new HashMap<>();
    Map<String, Long> total = new HashMap<>();
    for (Node node : nodes().values()) {
      ClusterObject object = Placement.node(view, node.getName());
      NodeAmounts.add(free, NodeAmounts.free(node, object, resources));
      NodeAmounts.add(total, NodeAmounts.capacity(node, object, resources));
    }
    for (Map.Entry<String, Long> want : wanted.entrySet()) {
      String name = want.getKey();
      long all = total.getOrDefault(name, 0L);
      boolean never = want.getValue() > all;
      long there = never ? all : Math.max(0, free.getOrDefault(name, 0L));
      if (want.getValue() > there && !NodeAmounts.withoutLimit(name)) {
        String numbers =
            ": %s (R: %s A: %s T: %s)"
                .formatted(
                    name, amount(name, want.getValue()), amount(name, there), amount(name, all));
        throw new Refused(PbsError.INSUFFICIENT, numbers);
      }
    }
  }

  private String amount(String name, long amount) {
    return resources.find(name).map(it -> Amounts.format(it, amount)).orElse("" + amount);
  }
}
