package io.millrace.schedulers.core;

import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.Placement.Arrangement;
import io.millrace.reservations.resources.ResourceTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gives each chunk of a request the first node, in the order of names, on which it fits. */
final class FirstFit {

  private final Space space;
  private final ResourceNames names;
  private final ResourceTable resources;

  FirstFit(Space space, ResourceNames names, ResourceTable resources) {
    this.space = space;
    this.names = names;
    this.resources = resources;
  }

  private record Placed(NodeState node, int kind, int count) {}

  /**
   * Takes room for one job out of the space; null, and the space as before, when it does not fit.
   */
  Held place(RequestShape shape, Pool pool) {
    Arrangement arrangement = shape.chunks == 1 ? Arrangement.FREE : shape.placement.arrangement();
    List<Placed> placed = null;
    if (arrangement == Arrangement.PACK) {
      for (NodeState[] host : pool.hosts()) {
        placed = spread(shape, host, Arrangement.FREE);
        if (placed != null) {
          break;
        }
      }
    } else {
      placed = spread(shape, pool.nodes(), arrangement);
    }
    if (placed == null) {
      return null;
    }
    Held held = new Held(takes(shape, placed), shape.placement.sharing());
    space.settle(held);
    return held;
  }

  /** True when the node shows all properties that a chunk of this kind asks for. */
  static boolean matches(NodeState node, RequestShape.Kind kind, ResourceTable resources) {
    for (Map.Entry<String, String> match : kind.matches().entrySet()) {
      if (!NodeAmounts.matches(node.properties, match.getKey(), match.getValue(), resources)) {
        return false;
      }
    }
    return true;
  }

  private List<Placed> spread(RequestShape shape, NodeState[] nodes, Arrangement arrangement) {
    List<Placed> placed = new ArrayList<>();
    Set<Object> taken = new HashSet<>();
    for (int index = 0; index < shape.kinds.length; index++) {
      RequestShape.Kind kind = shape.kinds[index];
      int left = kind.count();
      for (int n = 0; n < nodes.length && left > 0; n++) {
        NodeState node = nodes[n];
        space.work(1);
        if (!space.open(node, shape.placement.sharing())) {
          continue;
        }
        Object place = arrangement == Arrangement.SCATTER ? node.host : node;
        boolean apart = arrangement != Arrangement.FREE;
        int room = howMany(kind, space.free(node), apart ? 1 : left);
        if (room == 0 || apart && taken.contains(place) || !matches(node, kind, resources)) {
          continue;
        }
        if (apart) {
          taken.add(place);
        }
        space.give(node, kind, room);
        placed.add(new Placed(node, index, room));
        left -= room;
      }
      if (left > 0) {
        for (Placed it : placed) {
          space.give(it.node, shape.kinds[it.kind], -it.count);
        }
        return null;
      }
    }
    return placed;
  }

  static int howMany(RequestShape.Kind kind, long[] free, int most) {
    long count = most;
    for (int i = 0; i < kind.resources().length && count > 0; i++) {
      long there = ResourceNames.at(free, kind.resources()[i]);
      count = Math.min(count, Math.max(0, there / kind.amounts()[i]));
    }
    return (int) count;
  }

  private List<Take> takes(RequestShape shape, List<Placed> placed) {
    Map<NodeState, Take> byNode = new LinkedHashMap<>();
    for (Placed it : placed) {
      Take before = byNode.get(it.node);
      long[] amounts = before == null ? new long[names.size()] : before.amounts();
      shape
          .request
          .getChunks()
          .get(it.kind)
          .getAmounts()
          .forEach((name, amount) -> amounts[names.number(name)] += amount * it.count);
      int chunks = it.count + (before == null ? 0 : before.chunks());
      byNode.put(it.node, new Take(it.node, chunks, amounts));
    }
    return List.copyOf(byNode.values());
  }
}
