package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each run and each proposal holds, by job number and by end; keeps the nodes, and what
 * promises leave of them, in step.
 */
final class HoldingBook {

  /** A run that should have ended is expected to end in so long from now. */
  static final long OVERRUN_MS = 1000;

  private final NodeTable nodes;
  private final ResourceNames names;
  private final Map<Long, Hold> holds = new HashMap<>();
  private final Releases releases = new Releases();
  private final PromiseBook promises;
  private final NodeMarks kept = new NodeMarks();

  HoldingBook(NodeTable nodes, ResourceNames names, PromiseBook promises) {
    this.nodes = nodes;
    this.names = names;
    this.promises = promises;
  }

  Releases releases() {
    return releases;
  }

  /** A holding that the node's state lists; one that is known already changes nothing. */
  void listed(NodeState node, Holding holding) {
    Hold known = holds.get(holding.getNumber());
    if (known != null && known.held.takes().stream().anyMatch(it -> it.node() == node)) {
      return;
    }
    Sharing asked = known == null ? Sharing.UNSAID : known.held.asked();
    long endMs = known == null ? UsageProfile.FOREVER : known.endMs;
    Take take = new Take(node, holding.getChunks(), names.array(holding.getAmounts()));
    List<Take> takes = new ArrayList<>(known == null ? List.of() : known.held.takes());
    takes.add(take);
    if (known != null) {
      forget(known);
    }
    hold(holding.getNumber(), new Held(List.copyOf(takes), asked), endMs);
  }

  /** How the job shares its nodes and when it ends, which the nodes' own state does not tell. */
  void terms(long number, Sharing asked, long endMs) {
    Hold known = holds.get(number);
    if (known != null && (known.held.asked() != asked || known.endMs != endMs)) {
      forget(known);
      hold(number, new Held(known.held.takes(), asked), endMs);
      boolean whole = known.held.asked() != asked;
      if (whole || endMs < known.endMs) {
        relaxed(known.held, whole ? Long.MIN_VALUE : endMs, known.endMs);
      }
    }
  }

  /** When the run of a job will have ended; {@link UsageProfile#FOREVER} when there is none. */
  long endMs(long number) {
    Hold known = holds.get(number);
    return known == null ? UsageProfile.FOREVER : known.endMs;
  }

  void hold(long number, Held now, long endMs) {
    Hold hold = new Hold(number, now, endMs);
    holds.put(number, hold);
    nodes.take(now);
    index(hold);
    occupy(now, Long.MIN_VALUE, endMs, 1);
  }

  /** The run was granted these shares; what the proposal held counts as part of them. */
  void granted(long number, List<NodeShare> shares, Sharing asked, long endMs) {
    Held now = held(shares, asked);
    Hold before = holds.get(number);
    if (before == null || !before.held.sameTakes(now)) {
      release(number);
      hold(number, now, endMs);
    }
  }

  /** What a job holds; null when nothing. */
  Hold get(long number) {
    return holds.get(number);
  }

  /** Makes as if a run were gone, until {@link #putBack}. Nobody is told. */
  void setAside(Hold hold) {
    nodes.giveBack(hold.held);
    long changes = releases.changes();
    unindex(hold);
    releases.changes(changes);
    occupy(hold.held, Long.MIN_VALUE, hold.endMs, -1);
  }

  /** The run is there again, and everything is as it was before. */
  void putBack(Hold hold) {
    nodes.take(hold.held);
    long changes = releases.changes();
    index(hold);
    releases.changes(changes);
    for (Take take : hold.held.takes()) {
      take.node().promises.occupy(Long.MIN_VALUE, hold.endMs, take.amounts(), 1);
    }
  }

  /** Shares in the internal form; those of nodes that are not known are left out. */
  Held held(List<NodeShare> shares, Sharing asked) {
    List<Take> takes = new ArrayList<>();
    for (NodeShare share : shares) {
      NodeState node = nodes.get(share.getNode());
      if (node != null) {
        takes.add(new Take(node, share.getChunks(), names.array(share.getAmounts())));
      }
    }
    return new Held(List.copyOf(takes), asked);
  }

  void release(long number) {
    Hold before = holds.remove(number);
    if (before == null) {
      return;
    }
    forget(before);
    relaxed(before.held, Long.MIN_VALUE, before.endMs);
  }

  /**
   * What was held between two times is free: classes that wait for that are woken, and promises may
   * come earlier.
   */
  void relaxed(Held held, long fromMs, long toMs) {
    List<NodeState> nodesOf = new ArrayList<>(held.takes().size());
    for (Take take : held.takes()) {
      NodeState node = take.node();
      if (alone(node)) {
        nodesOf.add(node);
      } else {
        nodesOf.addAll(node.host.nodes);
      }
    }
    gained(new GainLog.Gain(nodesOf.toArray(NodeState[]::new), fromMs, toMs, false));
  }

  /** True for the only node of its host. */
  private static boolean alone(NodeState node) {
    return node.host == null || node.host.nodes.size() == 1;
  }

  void relaxed(Promise promise) {
    if (promise.dated()) {
      relaxed(promise.held, promise.fromMs(), promise.toMs());
    }
  }

  /**
   * A promise, no longer in the book, has become another one or a run, which is: what it held and
   * the other does not is free.
   */
  void moved(Promise before, Held now, long fromMs, long toMs) {
    if (toMs <= before.fromMs() || before.held.anyAlone()) {
      relaxed(before);
      return;
    }
    kept.clear();
    for (Take take : now.takes()) {
      kept.add(take.node());
    }
    List<Take> left = new ArrayList<>();
    List<Take> longer = new ArrayList<>();
    List<NodeState> then = new ArrayList<>();
    for (Take take : before.held.takes()) {
      NodeState node = take.node();
      if (!kept.contains(node) || !now.covers(take)) {
        left.add(take);
      } else if (!alone(node) || node.promises.anyStartsIn(toMs, before.toMs())) {
        // Who wants the host to itself may be better off on its other nodes, too.
        longer.add(take);
      } else {
        then.add(node);
      }
    }
    if (!left.isEmpty()) {
      relaxed(new Held(left, before.held.asked()), before.fromMs(), before.toMs());
    }
    if (toMs < before.toMs()) {
      if (!longer.isEmpty()) {
        relaxed(new Held(longer, before.held.asked()), toMs, before.toMs());
      }
      if (!then.isEmpty()) {
        // What is in use there only falls from then on: earlier starts are no better off.
        NodeState[] nodesOf = then.toArray(NodeState[]::new);
        gained(new GainLog.Gain(nodesOf, toMs, before.toMs(), true));
      }
    }
  }

  private static void gained(GainLog.Gain gain) {
    Pool told = null;
    for (NodeState node : gain.nodes()) {
      // Nearly always all are of one pool; telling one twice does no harm.
      if (node.pool != null && node.pool != told) {
        told = node.pool;
        told.gained(gain);
      }
    }
  }

  /** Runs that should have ended by now are taken to end a moment later. */
  void overdue(long nowMs) {
    while (releases.size() > 0 && releases.get(0).endMs <= nowMs) {
      Hold hold = releases.get(0);
      unindex(hold);
      long before = hold.endMs;
      hold.endMs = nowMs + OVERRUN_MS;
      index(hold);
      occupy(hold.held, before, hold.endMs, 1);
    }
  }

  private void index(Hold hold) {
    if (hold.ends()) {
      releases.add(hold);
      hold.held.takes().forEach(it -> it.node().releases.add(hold, it.amounts()));
    }
  }

  private void unindex(Hold hold) {
    if (hold.ends()) {
      releases.remove(hold);
      hold.held.takes().forEach(it -> it.node().releases.remove(hold, it.amounts()));
    }
  }

  private void forget(Hold hold) {
    nodes.giveBack(hold.held);
    unindex(hold);
    occupy(hold.held, Long.MIN_VALUE, hold.endMs, -1);
  }

  /** What promises leave of the nodes changes; more than was known may break them. */
  private void occupy(Held held, long fromMs, long toMs, int sign) {
    if (promises.dated() == 0) {
      return;
    }
    List<Take> takes = held.takes();
    for (int i = 0; i < takes.size(); i++) {
      NodeState node = takes.get(i).node();
      if (node.promises.occupy(fromMs, toMs, takes.get(i).amounts(), sign)) {
        node.promises.suspect();
      }
      Sharing sharing = sign > 0 ? held.asked().on(node.sharing) : Sharing.SHARED;
      if (sharing == Sharing.EXCLHOST && node.host != null) {
        node.host.nodes.forEach(it -> it.promises.suspect());
      } else if (sharing == Sharing.EXCL) {
        node.promises.suspect();
      }
    }
  }
}
