package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Arrangement;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.ReasonCode;
import io.millrace.schedulers.core.RequestShape.Kind;
import io.millrace.schedulers.core.Shortage.Level;
import io.millrace.schedulers.core.Shortage.Numbers;
import io.millrace.schedulers.core.Shortage.Watch;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Says why a request does not fit a pool now, and what has to change first. */
final class Diagnosis {

  private static final int SHOWN_VALUES_MAX = 8;
  private static final int RECENT_MAX = 1024;

  private final Window window;
  private final FirstFit fit;
  private final ResourceNames names;
  private final WorkCount work;
  private final Map<Shortage, Shortage> recent = new HashMap<>();

  Diagnosis(Window window, FirstFit fit, ResourceNames names, WorkCount work) {
    this.window = window;
    this.fit = fit;
    this.names = names;
    this.work = work;
  }

  /** True when the sums and maxima alone show that there is too little, now or for ever. */
  boolean isShort(RequestShape shape, Pool pool) {
    FreeTree free = pool.free();
    for (int i = 0; i < shape.totals(); i++) {
      if (shape.totalAmount(i) > free.sum(shape.totalResource(i))) {
        return true;
      }
    }
    for (Kind kind : shape.kinds) {
      for (int i = 0; i < kind.resources().length; i++) {
        if (kind.amounts()[i] > free.most(kind.resources()[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Why a class cannot start now.
   *
   * @param endMs when a job of it would end
   * @param promises true when there are promises that it could delay
   */
  Shortage of(RequestShape shape, Pool pool, long endMs, boolean promises) {
    return shared(find(shape, pool, endMs, promises));
  }

  /** Many classes wait for the same: an equal shortage is kept once. */
  private Shortage shared(Shortage shortage) {
    Shortage known = recent.putIfAbsent(shortage, shortage);
    if (recent.size() > RECENT_MAX) {
      recent.clear();
    }
    return known == null ? shortage : known;
  }

  private Shortage find(RequestShape shape, Pool pool, long endMs, boolean promises) {
    // A property that nobody shows is the answer, also while everything is busy.
    for (Kind kind : shape.kinds) {
      Shortage property = property(kind, pool);
      if (property != null) {
        return property;
      }
    }
    Shortage atOnce = atOnce(shape, pool);
    if (atOnce != null) {
      return atOnce;
    }
    if (promises) {
      Shortage delay = delay(shape, pool, endMs);
      if (delay != null) {
        return delay;
      }
    }
    window.now(endMs, true);
    return afterTry(shape, pool);
  }

  /** A shortage that the sums and maxima show; null when they show none. */
  private Shortage atOnce(RequestShape shape, Pool pool) {
    FreeTree free = pool.free();
    for (int i = 0; i < shape.totals(); i++) {
      int resource = shape.totalResource(i);
      long needed = shape.totalAmount(i);
      long total = pool.sumCapacity(resource);
      if (needed > total) {
        return never(resource, needed, free.sum(resource), total);
      }
    }
    for (Kind kind : shape.kinds) {
      for (int i = 0; i < kind.resources().length; i++) {
        int resource = kind.resources()[i];
        long largest = pool.mostCapacity(resource);
        if (kind.amounts()[i] > largest) {
          return never(resource, kind.amounts()[i], free.most(resource), largest);
        }
      }
    }
    for (int i = 0; i < shape.totals(); i++) {
      int resource = shape.totalResource(i);
      long needed = shape.totalAmount(i);
      if (needed > free.sum(resource)) {
        Numbers numbers = new Numbers(needed, free.sum(resource), pool.sumCapacity(resource));
        Watch watch = new Watch(Level.TOTAL, resource, needed);
        return shortage(ReasonCode.TOTAL_INSUFFICIENT, resource, numbers, watch);
      }
    }
    for (Kind kind : shape.kinds) {
      for (int i = 0; i < kind.resources().length; i++) {
        int resource = kind.resources()[i];
        if (kind.amounts()[i] > free.most(resource)) {
          long largest = pool.mostCapacity(resource);
          return onNode(resource, new Numbers(kind.amounts()[i], free.most(resource), largest));
        }
      }
    }
    return null;
  }

  /** The promise that is in the way of a class that would fit otherwise; null when none is. */
  private Shortage delay(RequestShape shape, Pool pool, long endMs) {
    window.now(endMs, true);
    Held held = fit.place(shape, pool, pool.free());
    if (held == null) {
      return null;
    }
    window.now(endMs, false);
    Promise first = null;
    for (Take take : held.takes()) {
      if (!window.open(take.node(), held.sharing()) || !window.fits(take.node(), take.amounts())) {
        Promise here = take.node().promises.first(Long.MIN_VALUE, endMs);
        if (here != null && (first == null || NodePromises.before(here, first))) {
          first = here;
        }
      }
    }
    if (first == null) {
      return null;
    }
    int resource = shape.kinds[0].resources().length == 0 ? 0 : shape.kinds[0].resources()[0];
    return new Shortage(
        ReasonCode.WOULD_DELAY,
        Long.toString(first.jobNumber()),
        Numbers.NONE,
        new Watch(Level.NODE, resource, shape.leastAmount(resource)),
        first.fromMs());
  }

  /** Why placing failed although {@link #atOnce} saw no obstacle. */
  private Shortage afterTry(RequestShape shape, Pool pool) {
    for (Kind kind : shape.kinds) {
      Shortage amount = amount(shape, kind, pool);
      if (amount != null) {
        return amount;
      }
    }
    return place(shape, pool);
  }

  private Shortage never(int resource, long needed, long free, long total) {
    Numbers numbers = new Numbers(needed, free, total);
    return shortage(ReasonCode.NEVER_FITS, resource, numbers, Watch.CHANGE);
  }

  private Shortage onNode(int resource, Numbers numbers) {
    Watch watch = new Watch(Level.NODE, resource, numbers.needed());
    return shortage(ReasonCode.NODE_INSUFFICIENT, resource, numbers, watch);
  }

  private Shortage shortage(ReasonCode code, int resource, Numbers numbers, Watch watch) {
    return new Shortage(code, names.name(resource), numbers, watch, Shortage.UNKNOWN);
  }

  private Shortage property(Kind kind, Pool pool) {
    if (kind.matches().isEmpty()) {
      return null;
    }
    work.add(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (window.matches(node, kind)) {
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
  private Shortage amount(RequestShape shape, Kind kind, Pool pool) {
    if (kind.matches().isEmpty() && shape.placement.sharing() == Sharing.SHARED) {
      return amount(kind, pool);
    }
    int count = kind.resources().length;
    long[] best = new long[count];
    boolean[] alone = new boolean[count];
    long[] largest = new long[count];
    boolean everFits = false;
    work.add(pool.nodes().length);
    for (NodeState node : pool.nodes()) {
      if (!window.matches(node, kind)) {
        continue;
      }
      everFits |= kind.fits(node.capacity);
      for (int i = 0; i < count; i++) {
        long capacity = ResourceNames.at(node.capacity, kind.resources()[i]);
        largest[i] = Math.max(largest[i], capacity);
      }
      if (!window.open(node, shape.placement.sharing())) {
        continue;
      }
      long[] free = window.free(node);
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

  /** The same for jobs that share and go anywhere, without a look at each node. */
  private Shortage amount(Kind kind, Pool pool) {
    FreeTree free = pool.free();
    work.add(1);
    if (free.next(0, kind) < pool.nodes().length || !pool.everFits(kind)) {
      return null;
    }
    for (int i = 0; i < kind.resources().length; i++) {
      int resource = kind.resources()[i];
      long best = free.mostBeside(kind, i);
      if (best >= 0) {
        return onNode(resource, new Numbers(kind.amounts()[i], best, pool.mostCapacity(resource)));
      }
    }
    return null;
  }

  /** Index of the one resource of which there is too little; -1 when there are several. */
  private static int onlyMissing(Kind kind, long[] free) {
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
    if (fit.counts(shape)
        && shape.kinds[0].matches().isEmpty()
        && shape.placement.sharing() == Sharing.SHARED) {
      return place(shape, fit.count(shape, pool), pool.ever(shape.kinds[0]));
    }
    if (!shape.grouped()) {
      Rooms rooms = rooms(shape, pool.hosts());
      return place(shape, rooms.now, rooms.ever);
    }
    Rooms best = new Rooms(0, 0);
    for (NodeState[] group : pool.groups(shape.placement.group())) {
      Rooms rooms = rooms(shape, NodeRanking.hosts(group));
      best = new Rooms(Math.max(best.now, rooms.now), Math.max(best.ever, rooms.ever));
    }
    return place(shape, best.now, best.ever);
  }

  /** Chunks for which there is room now, and when nothing runs. */
  private record Rooms(long now, long ever) {}

  private Rooms rooms(RequestShape shape, NodeState[][] hosts) {
    Arrangement arrangement = shape.placement.arrangement();
    long now = 0;
    long ever = 0;
    for (NodeState[] host : hosts) {
      long hostNow = 0;
      long hostEver = 0;
      for (NodeState node : host) {
        boolean open = window.open(node, shape.placement.sharing());
        long nodeNow = open ? room(shape, node, window.free(node)) : 0;
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
    work.add(hosts.length);
    return new Rooms(now, ever);
  }

  private Shortage place(RequestShape shape, long now, long ever) {
    int cpus = names.number("ncpus");
    boolean never = ever < shape.chunks;
    return new Shortage(
        never ? ReasonCode.PLACE_NEVER : ReasonCode.PLACE_INSUFFICIENT,
        shape.place.isEmpty() ? "free" : shape.place,
        new Numbers(shape.chunks, Math.min(now, shape.chunks), Math.min(ever, shape.chunks)),
        never ? Watch.CHANGE : new Watch(Level.NODE, cpus, shape.leastAmount(cpus)),
        Shortage.UNKNOWN);
  }

  /** Chunks of the request's kinds, each counted for itself, that such amounts hold; the most. */
  private long room(RequestShape shape, NodeState node, long[] amounts) {
    long most = 0;
    for (Kind kind : shape.kinds) {
      if (window.matches(node, kind)) {
        most = Math.max(most, kind.howMany(amounts, kind.count()));
      }
    }
    return most;
  }
}
