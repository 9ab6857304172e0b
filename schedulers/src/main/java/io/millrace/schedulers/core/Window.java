package io.millrace.schedulers.core;

import io.millrace.reservations.resources.NodeAmounts;
import io.millrace.reservations.resources.Placement.Sharing;
import java.util.Arrays;
import java.util.Map;

/**
 * What each node can give to one job from a time on until the job's end: from now, or from a later
 * time at which some holds have ended and some promises have begun. Promises that begin within the
 * window are respected. Nodes that do not differ from now cost nothing.
 */
final class Window {

  private final NodeTable nodes;
  private final ResourceNames names;
  private long afterMs;
  private long endMs;
  private boolean blind;
  private boolean empty;

  // What is different at the later time; valid where the mark is the current one.
  private boolean later;
  private int mark;
  private int[] nodeMarks = {};
  private long[][] free = {};
  private int[] holders = {};
  private int[] exclusive = {};
  private int[] hostMarks = {};
  private int[] hostHolders = {};
  private int[] hostExclusive = {};

  // What the placement in progress has taken so far.
  private int placement;
  private int[] takenMarks = {};
  private long[][] taken = {};

  Window(NodeTable nodes, ResourceNames names) {
    this.nodes = nodes;
    this.names = names;
  }

  /** From now to an end; a blind window does not see promises. */
  void now(long toMs, boolean withoutPromises) {
    later = false;
    empty = false;
    blind = withoutPromises;
    afterMs = Long.MIN_VALUE;
    endMs = toMs;
  }

  /** When nothing runs and all nodes may be used. */
  void empty() {
    now(Long.MAX_VALUE, true);
    empty = true;
  }

  /** Begins to look at later times; so far everything is as it is now. */
  void beginLater() {
    later = true;
    blind = false;
    empty = false;
    mark++;
    if (nodeMarks.length < nodes.idBound()) {
      int size = nodes.idBound();
      nodeMarks = Arrays.copyOf(nodeMarks, size);
      free = Arrays.copyOf(free, size);
      holders = Arrays.copyOf(holders, size);
      exclusive = Arrays.copyOf(exclusive, size);
    }
    if (hostMarks.length < nodes.hostIdBound()) {
      int size = nodes.hostIdBound();
      hostMarks = Arrays.copyOf(hostMarks, size);
      hostHolders = Arrays.copyOf(hostHolders, size);
      hostExclusive = Arrays.copyOf(hostExclusive, size);
    }
  }

  /** From a later time, to which all changes were {@link #change noted}, to an end. */
  void at(long fromMs, long toMs) {
    afterMs = fromMs;
    endMs = toMs;
  }

  /** At the later time somebody holds this in addition (sign 1), or no longer (sign -1). */
  void change(Held held, int sign) {
    boolean alone = held.sharing() != Sharing.SHARED;
    for (Take take : held.takes()) {
      NodeState node = take.node();
      long[] amounts = take.amounts();
      long[] there = differing(node, amounts.length);
      for (int resource = 0; resource < amounts.length; resource++) {
        there[resource] -= sign * amounts[resource];
      }
      holders[node.id] += sign;
      exclusive[node.id] += alone ? sign : 0;
      if (node.host != null) {
        differing(node.host);
        hostHolders[node.host.id] += sign;
        hostExclusive[node.host.id] += held.sharing() == Sharing.EXCLHOST ? sign : 0;
      }
    }
  }

  private long[] differing(NodeState node, int length) {
    int id = node.id;
    if (nodeMarks[id] != mark) {
      nodeMarks[id] = mark;
      int size = Math.max(length, node.free.length);
      if (free[id] == null || free[id].length < size) {
        free[id] = new long[size];
      }
      System.arraycopy(node.free, 0, free[id], 0, node.free.length);
      Arrays.fill(free[id], node.free.length, free[id].length, 0);
      holders[id] = node.holders;
      exclusive[id] = node.exclusive;
    } else if (free[id].length < length) {
      free[id] = Arrays.copyOf(free[id], length);
    }
    return free[id];
  }

  private void differing(HostState host) {
    if (hostMarks[host.id] != mark) {
      hostMarks[host.id] = mark;
      hostHolders[host.id] = host.holders;
      hostExclusive[host.id] = host.exclusive;
    }
  }

  /**
   * What is free on the node at the beginning of the window, by resource number; not to be kept.
   */
  long[] free(NodeState node) {
    if (empty) {
      return node.capacity;
    }
    return later && nodeMarks[node.id] == mark ? free[node.id] : node.free;
  }

  /** True when a new job may use the node at all, whatever it needs. */
  boolean open(NodeState node, Sharing sharing) {
    if (empty) {
      return node.host != null;
    }
    if (!node.usable || exclusive(node) > 0 || hostExclusive(node.host) > 0) {
      return false;
    }
    return switch (sharing) {
      case SHARED -> blind || node.promises.open(sharing, afterMs, endMs);
      case EXCL -> holders(node) == 0 && (blind || node.promises.open(sharing, afterMs, endMs));
      case EXCLHOST -> hostHolders(node.host) == 0 && (blind || hostOpen(node.host));
    };
  }

  private boolean hostOpen(HostState host) {
    for (NodeState node : host.nodes) {
      if (!node.promises.open(Sharing.EXCLHOST, afterMs, endMs)) {
        return false;
      }
    }
    return true;
  }

  private int exclusive(NodeState node) {
    return later && nodeMarks[node.id] == mark ? exclusive[node.id] : node.exclusive;
  }

  private int holders(NodeState node) {
    return later && nodeMarks[node.id] == mark ? holders[node.id] : node.holders;
  }

  private int hostHolders(HostState host) {
    return later && hostMarks[host.id] == mark ? hostHolders[host.id] : host.holders;
  }

  private int hostExclusive(HostState host) {
    return later && hostMarks[host.id] == mark ? hostExclusive[host.id] : host.exclusive;
  }

  /** Chunks of a kind that an open node can take, at most {@code most}; properties aside. */
  int room(NodeState node, RequestShape.Kind kind, int most) {
    if (node.id < takenMarks.length && takenMarks[node.id] == placement && placement > 0) {
      return roomBesideTaken(node, kind, most);
    }
    int room = kind.howMany(free(node), most);
    return room == 0 || blind || node.promises.isEmpty()
        ? room
        : node.promises.room(kind, room, afterMs, endMs);
  }

  /** True when these amounts are free on the node and stay so until the end. */
  boolean fits(NodeState node, long[] amounts) {
    if (!covers(free(node), amounts)) {
      return false;
    }
    for (int i = 0; i < node.promises.size() && !blind; i++) {
      long start = node.promises.get(i).fromMs();
      if (start > afterMs && start < endMs && !covers(node.promises.left(i), amounts)) {
        return false;
      }
    }
    return true;
  }

  private boolean covers(long[] free, long[] amounts) {
    for (int resource = 0; resource < amounts.length; resource++) {
      if (amounts[resource] > 0
          && amounts[resource] > ResourceNames.at(free, resource)
          && !names.withoutLimit(resource)) {
        return false;
      }
    }
    return true;
  }

  /** True when the node shows all properties that a chunk of this kind asks for. */
  boolean matches(NodeState node, RequestShape.Kind kind) {
    if (kind.matches().isEmpty()) {
      return true;
    }
    for (Map.Entry<String, String> match : kind.matches().entrySet()) {
      if (!NodeAmounts.matches(
          node.properties, match.getKey(), match.getValue(), nodes.resources())) {
        return false;
      }
    }
    return true;
  }

  /** Begins to place a job of which several chunks may come to lie on one node. */
  void beginPlacement() {
    placement++;
    if (takenMarks.length < nodes.idBound()) {
      takenMarks = Arrays.copyOf(takenMarks, nodes.idBound());
      taken = Arrays.copyOf(taken, nodes.idBound());
    }
  }

  /** Notes chunks that were placed on a node. */
  void take(NodeState node, RequestShape.Kind kind, int count, int resourceCount) {
    if (takenMarks[node.id] != placement) {
      takenMarks[node.id] = placement;
      taken[node.id] = new long[resourceCount];
    }
    kind.addTo(taken[node.id], count);
  }

  /** Ends a placement: from now on nodes are as if it had not been tried. */
  void endPlacement() {
    placement++;
  }

  private int roomBesideTaken(NodeState node, RequestShape.Kind kind, int most) {
    long[] used = taken[node.id];
    int room = kind.howMany(less(free(node), used), most);
    for (int i = 0; i < node.promises.size() && room > 0 && !blind; i++) {
      long start = node.promises.get(i).fromMs();
      if (start > afterMs && start < endMs) {
        room = kind.howMany(less(node.promises.left(i), used), room);
      }
    }
    return room;
  }

  private static long[] less(long[] amounts, long[] used) {
    long[] rest = Arrays.copyOf(amounts, Math.max(amounts.length, used.length));
    for (int i = 0; i < used.length; i++) {
      rest[i] -= used[i];
    }
    return rest;
  }
}
