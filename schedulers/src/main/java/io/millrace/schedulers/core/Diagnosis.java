package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Arrangement;
import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schedulers.core.Shortage.Level;
import io.millrace.schedulers.core.Shortage.Numbers;
import io.millrace.schedulers.core.Shortage.Watch;
import java.util.Map;
import java.util.TreeSet;

/** Says why a request does not fit a pool, and what has to change first. */
final class Diagnosis {

  private static final int SHOWN_VALUES_MAX = 8;

  private final Space space;
  private final ResourceNames names;
  private final ResourceTable resources;

  Diagnosis(Space space, ResourceNames names, ResourceTable resources) {
    this.space = space;
    this.names = names;
    this.resources = resources;
  }

  /**
   * A shortage that the sums and maxima show without looking at any node; null when they show none.
   * The summary may be older than the space: what is free only shrinks in a cycle.
   */
  Shortage atOnce(RequestShape shape, Summary summary) {
    for (int i = 0; i < shape.totalResources.length; i++) {
      int resource = shape.totalResources[i];
      long needed = shape.totalAmounts[i];
      long total = ResourceNames.at(summary.sumCapacity, resource);
      if (needed > total) {
        return never(resource, needed, ResourceNames.at(summary.sumFree, resource), total);
      }
    }
    for (RequestShape.Kind kind : shape.kinds) {
      for (int i = 0; i < kind.resources().length; i++) {
        long largest = ResourceNames.at(summary.mostCapacity, kind.resources()[i]);
        if (kind.amounts()[i] > largest) {
          long most = ResourceNames.at(summary.mostFree, kind.resources()[i]);
          return never(kind.resources()[i], kind.amounts()[i], most, largest);
        }
      }
    }
    for (int i = 0; i < shape.totalResources.length; i++) {
      int resource = shape.totalResources[i];
      long free = ResourceNames.at(summary.sumFree, resource);
      if (shape.totalAmounts[i] > free) {
        Numbers numbers =
            new Numbers(
                shape.totalAmounts[i], free, ResourceNames.at(summary.sumCapacity, resource));
        Watch watch = new Watch(Level.TOTAL, resource, shape.totalAmounts[i]);
        return new Shortage(ReasonCode.TOTAL_INSUFFICIENT, names.name(resource), numbers, watch);
      }
    }
    for (RequestShape.Kind kind : shape.kinds) {
      for (int i = 0; i < kind.resources().length; i++) {
        int resource = kind.resources()[i];
        long most = ResourceNames.at(summary.mostFree, resource);
        if (kind.amounts()[i] > most) {
          long largest = ResourceNames.at(summary.mostCapacity, resource);
          return onNode(resource, new Numbers(kind.amounts()[i], most, largest));
        }
      }
    }
    return null;
  }

  /** Why placing failed although {@link #atOnce} saw no obstacle. */
  Shortage afterTry(RequestShape shape, Pool pool) {
    for (RequestShape.Kind kind : shape.kinds) {
      Shortage property = property(kind, pool);
      if (property != null) {
        return property;
      }
    }
    for (RequestShape.Kind kind : shape.kinds) {
      Shortage amount = amount(shape, kind, pool);
      if (amount != null) {
        return amount;
      }
    }
    return place(shape, pool);
  }

  private Shortage never(int resource, long needed, long free, long total) {
    return new Shortage(
        ReasonCode.NEVER_FITS,
        names.name(resource),
        new Numbers(needed, free, total),
        Watch.CHANGE);
  }

  private Shortage onNode(int resource, Numbers numbers) {
    return new Shortage(
        ReasonCode.NODE_INSUFFICIENT,
        names.name(resource),
        numbers,
        new Watch(Level.NODE, resource, numbers.needed()));
  }

  private Shortage property(RequestShape.Kind kind, Pool pool) {
    if (kind.matches().isEmpty()) {
      return null;
    }
    space.work(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (FirstFit.matches(node, kind, resources)) {
        return null;
      }
    }
    for (Map.Entry<String, String> match : kind.matches().entrySet()) {
      TreeSet<String> shown = new TreeSet<>();
      boolean found = false;
      for (NodeState node : pool.nodes()) {
        String value = node.properties.get(match.getKey());
        found |= match.getValue().equals(value);
        if (value != null && shown.size() < SHOWN_VALUES_MAX) {
          shown.add(value);
        }
      }
      if (!found) {
        String text =
            match.getKey() + " (" + match.getValue() + " != " + String.join(",", shown) + ")";
        return Shortage.untilChange(ReasonCode.NO_MATCH, text);
      }
    }
    return Shortage.untilChange(ReasonCode.NO_MATCH, String.join(",", kind.matches().keySet()));
  }

  /**
   * Looks for a kind that no node has room for, and names the resource that is missing on nodes
   * that have enough of the others.
   */
  private Shortage amount(RequestShape shape, RequestShape.Kind kind, Pool pool) {
    int count = kind.resources().length;
    long[] best = new long[count];
    boolean[] alone = new boolean[count];
    long[] largest = new long[count];
    boolean everFits = false;
    space.work(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (!FirstFit.matches(node, kind, resources)) {
        continue;
      }
      everFits |= kind.fits(node.capacity);
      for (int i = 0; i < count; i++) {
        long capacity = ResourceNames.at(node.capacity, kind.resources()[i]);
        largest[i] = Math.max(largest[i], capacity);
      }
      if (!space.open(node, shape.placement.sharing())) {
        continue;
      }
      long[] free = space.free(node);
      if (kind.fits(free)) {
        return null;
      }
      int missing = onlyMissing(kind, free);
      if (missing >= 0) {
        alone[missing] = true;
        best[missing] = Math.max(best[missing], ResourceNames.at(free, kind.resources()[missing]));
      }
    }
    for (int i = 0; i < count; i++) {
      if (kind.amounts()[i] > largest[i]) {
        return never(kind.resources()[i], kind.amounts()[i], best[i], largest[i]);
      }
    }
    for (int i = 0; i < count && everFits; i++) {
      if (alone[i]) {
        return onNode(kind.resources()[i], new Numbers(kind.amounts()[i], best[i], largest[i]));
      }
    }
    return null;
  }

  /** Index of the one resource of which there is too little; -1 when there are several. */
  private static int onlyMissing(RequestShape.Kind kind, long[] free) {
    int missing = -1;
    for (int i = 0; i < kind.resources().length; i++) {
      if (ResourceNames.at(free, kind.resources()[i]) < kind.amounts()[i]) {
        if (missing >= 0) {
          return -1;
        }
        missing = i;
      }
    }
    return missing;
  }

  private Shortage place(RequestShape shape, Pool pool) {
    Arrangement arrangement = shape.placement.arrangement();
    long now = 0;
    long ever = 0;
    for (NodeState[] host : pool.hosts()) {
      long hostNow = 0;
      long hostEver = 0;
      for (NodeState node : host) {
        boolean open = space.open(node, shape.placement.sharing());
        long nodeNow = open ? room(shape, node, space.free(node)) : 0;
        long nodeEver = room(shape, node, node.capacity);
        boolean single = arrangement == Arrangement.VSCATTER;
        hostNow += single ? Math.min(1, nodeNow) : nodeNow;
        hostEver += single ? Math.min(1, nodeEver) : nodeEver;
      }
      boolean single = arrangement == Arrangement.SCATTER;
      boolean most = arrangement == Arrangement.PACK;
      now = most ? Math.max(now, hostNow) : now + (single ? Math.min(1, hostNow) : hostNow);
      ever = most ? Math.max(ever, hostEver) : ever + (single ? Math.min(1, hostEver) : hostEver);
    }
    space.work(pool.nodes().length);
    int cpus = names.number("ncpus");
    boolean never = ever < shape.chunks;
    return new Shortage(
        never ? ReasonCode.PLACE_NEVER : ReasonCode.PLACE_INSUFFICIENT,
        shape.request.getPlace().isEmpty() ? "free" : shape.request.getPlace(),
        new Numbers(shape.chunks, Math.min(now, shape.chunks), Math.min(ever, shape.chunks)),
        never ? Watch.CHANGE : new Watch(Level.NODE, cpus, shape.leastAmount(cpus)));
  }

  /** Chunks of the request's kinds, each counted for itself, that such amounts hold; the most. */
  private long room(RequestShape shape, NodeState node, long[] amounts) {
    long most = 0;
    for (RequestShape.Kind kind : shape.kinds) {
      if (FirstFit.matches(node, kind, resources)) {
        most = Math.max(most, FirstFit.howMany(kind, amounts, kind.count()));
      }
    }
    return most;
  }
}
