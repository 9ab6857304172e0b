package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;

/** What is free in the course of a cycle: the state's nodes less what the cycle gave away. */
final class Space {

  private final long[][] free;
  private final int[] holders;
  private final int[] exclusive;
  private final int[] hostHolders;
  private final int[] hostExclusive;
  private long units;

  /** Number of starts so far; a summary made at another number is out of date. */
  private int version;

  Space(NodeTable nodes) {
    free = new long[nodes.idBound()][];
    holders = new int[nodes.idBound()];
    exclusive = new int[nodes.idBound()];
    hostHolders = new int[nodes.hostIdBound()];
    hostExclusive = new int[nodes.hostIdBound()];
  }

  long units() {
    return units;
  }

  void work(long more) {
    units += more;
  }

  int version() {
    return version;
  }

  long[] free(NodeState node) {
    long[] changed = free[node.id];
    return changed == null ? node.free : changed;
  }

  /** True when a new job may use the node at all, whatever it needs. */
  boolean open(NodeState node, Sharing sharing) {
    if (!node.usable
        || node.exclusive + exclusive[node.id] > 0
        || node.host.exclusive + hostExclusive[node.host.id] > 0) {
      return false;
    }
    return switch (sharing) {
      case SHARED -> true;
      case EXCL -> node.holders + holders[node.id] == 0;
      case EXCLHOST -> node.host.holders + hostHolders[node.host.id] == 0;
    };
  }

  /** Gives chunks of a kind away, or takes them back when the count is negative. */
  void give(NodeState node, RequestShape.Kind kind, int count) {
    long[] amounts = free[node.id];
    if (amounts == null) {
      amounts = node.free.clone();
      free[node.id] = amounts;
    }
    for (int i = 0; i < kind.resources().length; i++) {
      amounts[kind.resources()[i]] -= kind.amounts()[i] * count;
    }
  }

  /** Notes who now holds the nodes whose amounts were given away. */
  void settle(Held held) {
    for (Take take : held.takes()) {
      NodeState node = take.node();
      holders[node.id]++;
      hostHolders[node.host.id]++;
      if (held.sharing() != Sharing.SHARED) {
        exclusive[node.id]++;
      }
      if (held.sharing() == Sharing.EXCLHOST) {
        hostExclusive[node.host.id]++;
      }
    }
    version++;
  }
}
