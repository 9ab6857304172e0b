package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Allocation of each run and each open proposal, by job number and by expected end. Keeps the
 * nodes' used amounts, and what promises leave of them, consistent with it.
 */
public final class AllocationBook {

  /** A run that has passed its expected end is expected to end this much later than now. */
  public static final long OVERRUN_MS = 1000;

  private final NodeTable nodes;
  private final ResourceNames names;
  private final Map<Long, TimedAllocation> holds = new HashMap<>();
  private final ResourceReleases releases = new ResourceReleases();
  private final NodeMarks kept = new NodeMarks();

  /** Hears the number of each job that holds something else than before; null while nobody asks. */
  private LongConsumer watcher;

  public AllocationBook(NodeTable nodes, ResourceNames names) {
    this.nodes = nodes;
    this.names = names;
  }

  /** From now on tells the number of each job that holds something else than before. */
  public void watch(LongConsumer hears) {
    watcher = hears;
  }

  private void changed(long number) {
    if (watcher != null) {
      watcher.accept(number);
    }
  }

  public ResourceReleases releases() {
    return releases;
  }

  /**
   * Takes over a holding from the node's record; an allocation that is already known stays as it
   * is.
   */
  void listed(NodeState node, Holding holding) {
    TimedAllocation known = holds.get(holding.getNumber());
    if (known != null && known.held().takes().stream().anyMatch(it -> same(it.node(), node))) {
      return;
    }
    Sharing asked = known == null ? Sharing.UNSAID : known.held().asked();
    long endMs = known == null ? UsageProfile.FOREVER : known.endMs();
    NodeAllocation take =
        new NodeAllocation(node, holding.getChunks(), names.array(holding.getAmounts()));
    List<NodeAllocation> takes = new ArrayList<>(known == null ? List.of() : known.held().takes());
    takes.add(take);
    if (known != null) {
      forget(known);
    }
    hold(holding.getNumber(), new JobAllocation(List.copyOf(takes), asked), endMs);
  }

  /** True for a node and for a reservation's part of it. */
  private static boolean same(NodeState one, NodeState other) {
    return one == other || one.name().equals(other.name());
  }

  /**
   * Sets how the job shares its nodes and when it is expected to end; the node's record does not
   * say it.
   */
  public void terms(long number, Sharing asked, long endMs) {
    TimedAllocation known = holds.get(number);
    if (known != null && (known.held().asked() != asked || known.endMs() != endMs)) {
      forget(known);
      hold(number, new JobAllocation(known.held().takes(), asked), endMs);
      boolean whole = known.held().asked() != asked;
      if (whole || endMs < known.endMs()) {
        relaxed(known.held(), whole ? Long.MIN_VALUE : endMs, known.endMs());
      }
    }
  }

  /** Expected end of the job's run; {@link UsageProfile#FOREVER} when it is unknown. */
  public long endMs(long number) {
    TimedAllocation known = holds.get(number);
    return known == null ? UsageProfile.FOREVER : known.endMs();
  }

  public void hold(long number, JobAllocation now, long endMs) {
    TimedAllocation hold = new TimedAllocation(number, now, endMs);
    holds.put(number, hold);
    changed(number);
    nodes.take(now);
    index(hold);
    occupy(now, Long.MIN_VALUE, endMs, 1);
  }

  /**
   * Records the shares that a run was granted; they replace the allocation of its proposal.
   *
   * @param queue of the job, which may be that of a reservation
   */
  public void granted(
      long number, String queue, List<NodeShare> shares, Sharing asked, long endMs) {
    JobAllocation now = held(queue, shares, asked);
    TimedAllocation before = holds.get(number);
    if (before == null || !before.held().sameTakes(now)) {
      release(number);
      hold(number, now, endMs);
    }
  }

  /** Allocation of a job; null when it has none. */
  public TimedAllocation get(long number) {
    return holds.get(number);
  }

  /** Takes a run's allocation out on trial, until {@link #putBack}; no listener is called. */
  public void setAside(TimedAllocation hold) {
    nodes.giveBack(hold.held());
    long changes = releases.changes();
    unindex(hold);
    releases.changes(changes);
    occupy(hold.held(), Long.MIN_VALUE, hold.endMs(), -1);
  }

  /** Puts a run's allocation back, after which everything is as before {@link #setAside}. */
  public void putBack(TimedAllocation hold) {
    nodes.take(hold.held());
    long changes = releases.changes();
    index(hold);
    releases.changes(changes);
    for (NodeAllocation take : hold.held().takes()) {
      take.node().promises().occupy(Long.MIN_VALUE, hold.endMs(), take.amounts(), 1);
    }
  }

  /** A run whose job is in another queue now holds the same of the nodes of that queue. */
  public void rehouse(long number, String queue) {
    TimedAllocation known = holds.get(number);
    if (known == null) {
      return;
    }
    List<NodeAllocation> takes = new ArrayList<>();
    boolean same = true;
    for (NodeAllocation take : known.held().takes()) {
      NodeState node = nodes.get(queue, take.node().name());
      if (node != null) {
        takes.add(new NodeAllocation(node, take.chunks(), take.amounts()));
      }
      same &= node == take.node();
    }
    if (!same) {
      forget(known);
      hold(number, new JobAllocation(List.copyOf(takes), known.held().asked()), known.endMs());
      relaxed(known.held(), Long.MIN_VALUE, known.endMs());
    }
  }

  /** Numbers of all jobs that hold anything. */
  public Set<Long> numbers() {
    return holds.keySet();
  }

  /** Shares as an allocation; shares of nodes that are unknown to the queue are left out. */
  public JobAllocation held(String queue, List<NodeShare> shares, Sharing asked) {
    List<NodeAllocation> takes = new ArrayList<>();
    for (NodeShare share : shares) {
      NodeState node = nodes.get(queue, share.getNode());
      if (node != null) {
        takes.add(new NodeAllocation(node, share.getChunks(), names.array(share.getAmounts())));
      }
    }
    return new JobAllocation(List.copyOf(takes), asked);
  }

  /** The run of a job ends, by which its nodes were used until now. */
  public void ended(long number) {
    TimedAllocation hold = holds.get(number);
    if (hold != null) {
      long end = nodes.nextUse();
      hold.held().takes().forEach(take -> take.node().usedUntil(end));
    }
  }

  public void release(long number) {
    TimedAllocation before = holds.remove(number);
    if (before == null) {
      return;
    }
    forget(before);
    relaxed(before.held(), Long.MIN_VALUE, before.endMs());
  }

  /**
   * What was held between two times is free: wakes the classes that wait for it, and lets promises
   * be searched for an earlier start.
   */
  public void relaxed(JobAllocation held, long fromMs, long toMs) {
    Set<NodeState> nodesOf = new LinkedHashSet<>(held.takes().size());
    for (NodeAllocation take : held.takes()) {
      NodeState node = take.node();
      if (node.aloneOnHost()) {
        nodesOf.add(node);
      } else if (!nodesOf.contains(node)) {
        nodesOf.addAll(node.host().nodes());
      }
    }
    gained(new GainLog.Gain(nodesOf.toArray(NodeState[]::new), fromMs, toMs, false));
  }

  /** Nodes planned for a job, and from when to when. */
  public record PlannedAllocation(JobAllocation held, long fromMs, long toMs) {}

  /**
   * A plan, already removed from the nodes, was replaced by another plan or by a run, already
   * entered: what the old one held and the new one does not is free.
   */
  public void moved(PlannedAllocation before, PlannedAllocation now) {
    long toMs = now.toMs();
    if (toMs <= before.fromMs() || before.held().anyAlone()) {
      relaxed(before.held(), before.fromMs(), before.toMs());
      return;
    }
    kept.clear();
    for (NodeAllocation take : now.held().takes()) {
      kept.add(take.node());
    }
    List<NodeAllocation> left = new ArrayList<>();
    List<NodeAllocation> longer = new ArrayList<>();
    List<NodeState> then = new ArrayList<>();
    for (NodeAllocation take : before.held().takes()) {
      NodeState node = take.node();
      if (!kept.contains(node) || !now.held().covers(take)) {
        left.add(take);
      } else if (!node.aloneOnHost() || node.anyPlannedIn(toMs, before.toMs())) {
        // A job that wants the host exclusively may profit from its other nodes too.
        longer.add(take);
      } else {
        then.add(node);
      }
    }
    if (!left.isEmpty()) {
      relaxed(new JobAllocation(left, before.held().asked()), before.fromMs(), before.toMs());
    }
    if (toMs < before.toMs()) {
      if (!longer.isEmpty()) {
        relaxed(new JobAllocation(longer, before.held().asked()), toMs, before.toMs());
      }
      if (!then.isEmpty()) {
        // On these nodes use only falls after that time, so only starts from then on can gain.
        NodeState[] nodesOf = then.toArray(NodeState[]::new);
        gained(new GainLog.Gain(nodesOf, toMs, before.toMs(), true));
      }
    }
  }

  private static void gained(GainLog.Gain gain) {
    NodePool told = null;
    for (NodeState node : gain.nodes()) {
      // Nearly always all nodes are of one pool; telling a pool twice does no harm.
      if (node.pool() != null && node.pool() != told) {
        told = node.pool();
        told.gained(gain);
      }
    }
  }

  /** Moves the expected end of runs that have passed it to a moment from now. */
  public void overdue(long nowMs) {
    while (releases.size() > 0 && releases.get(0).endMs() <= nowMs) {
      TimedAllocation hold = releases.get(0);
      unindex(hold);
      long before = hold.endMs();
      hold.lastsUntil(nowMs + OVERRUN_MS);
      index(hold);
      occupy(hold.held(), before, hold.endMs(), 1);
    }
  }

  private void index(TimedAllocation hold) {
    if (hold.ends()) {
      releases.add(hold);
      hold.held().takes().forEach(it -> it.node().releases().add(hold, it.amounts()));
    }
  }

  private void unindex(TimedAllocation hold) {
    if (hold.ends()) {
      releases.remove(hold);
      hold.held().takes().forEach(it -> it.node().releases().remove(hold, it.amounts()));
    }
  }

  private void forget(TimedAllocation hold) {
    changed(hold.number());
    nodes.giveBack(hold.held());
    unindex(hold);
    occupy(hold.held(), Long.MIN_VALUE, hold.endMs(), -1);
  }

  /** Changes what promises leave on the nodes; taking more than was planned may break promises. */
  private void occupy(JobAllocation held, long fromMs, long toMs, int sign) {
    List<NodeAllocation> takes = held.takes();
    for (int i = 0; i < takes.size(); i++) {
      NodeState node = takes.get(i).node();
      if (node.promises().isEmpty() && node.aloneOnHost()) {
        continue;
      }
      boolean broken = node.promises().occupy(fromMs, toMs, takes.get(i).amounts(), sign);
      if (broken || sign > 0 && node.bookings().firstMs() < toMs) {
        // What promises leave is counted without bookings.
        node.promises().suspect();
      }
      Sharing sharing = sign > 0 ? held.asked().on(node.sharing()) : Sharing.SHARED;
      if (sharing == Sharing.EXCLHOST && node.host() != null) {
        node.host().nodes().forEach(it -> it.promises().suspect());
      } else if (sharing == Sharing.EXCL) {
        node.promises().suspect();
      }
    }
  }
}
