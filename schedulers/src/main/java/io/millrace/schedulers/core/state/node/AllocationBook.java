package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each run and each proposal holds, by job number and by end; keeps the nodes, and what
 * promises leave of them, in step.
 */
public final class AllocationBook {

  /** A run that should have ended is expected to end in so long from now. */
  public static final long OVERRUN_MS = 1000;

  private final NodeTable nodes;
  private final ResourceNames names;
  private final Map<Long, TimedAllocation> holds = new HashMap<>();
  private final ResourceReleases releases = new ResourceReleases();
  private final NodeMarks kept = new NodeMarks();

  public AllocationBook(NodeTable nodes, ResourceNames names) {
    this.nodes = nodes;
    this.names = names;
  }

  public ResourceReleases releases() {
    return releases;
  }

  /** A holding that the node's state lists; one that is known already changes nothing. */
  void listed(NodeState node, Holding holding) {
    TimedAllocation known = holds.get(holding.getNumber());
    if (known != null && known.held().takes().stream().anyMatch(it -> it.node() == node)) {
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

  /** How the job shares its nodes and when it ends, which the nodes' own state does not tell. */
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

  /** When the run of a job will have ended; {@link UsageProfile#FOREVER} when there is none. */
  public long endMs(long number) {
    TimedAllocation known = holds.get(number);
    return known == null ? UsageProfile.FOREVER : known.endMs();
  }

  public void hold(long number, JobAllocation now, long endMs) {
    TimedAllocation hold = new TimedAllocation(number, now, endMs);
    holds.put(number, hold);
    nodes.take(now);
    index(hold);
    occupy(now, Long.MIN_VALUE, endMs, 1);
  }

  /** The run was granted these shares; what the proposal held counts as part of them. */
  public void granted(long number, List<NodeShare> shares, Sharing asked, long endMs) {
    JobAllocation now = held(shares, asked);
    TimedAllocation before = holds.get(number);
    if (before == null || !before.held().sameTakes(now)) {
      release(number);
      hold(number, now, endMs);
    }
  }

  /** What a job holds; null when nothing. */
  public TimedAllocation get(long number) {
    return holds.get(number);
  }

  /** Makes as if a run were gone, until {@link #putBack}. Nobody is told. */
  public void setAside(TimedAllocation hold) {
    nodes.giveBack(hold.held());
    long changes = releases.changes();
    unindex(hold);
    releases.changes(changes);
    occupy(hold.held(), Long.MIN_VALUE, hold.endMs(), -1);
  }

  /** The run is there again, and everything is as it was before. */
  public void putBack(TimedAllocation hold) {
    nodes.take(hold.held());
    long changes = releases.changes();
    index(hold);
    releases.changes(changes);
    for (NodeAllocation take : hold.held().takes()) {
      take.node().promises().occupy(Long.MIN_VALUE, hold.endMs(), take.amounts(), 1);
    }
  }

  /** Shares in the internal form; those of nodes that are not known are left out. */
  public JobAllocation held(List<NodeShare> shares, Sharing asked) {
    List<NodeAllocation> takes = new ArrayList<>();
    for (NodeShare share : shares) {
      NodeState node = nodes.get(share.getNode());
      if (node != null) {
        takes.add(new NodeAllocation(node, share.getChunks(), names.array(share.getAmounts())));
      }
    }
    return new JobAllocation(List.copyOf(takes), asked);
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
   * What was held between two times is free: classes that wait for that are woken, and promises may
   * come earlier.
   */
  public void relaxed(JobAllocation held, long fromMs, long toMs) {
    List<NodeState> nodesOf = new ArrayList<>(held.takes().size());
    for (NodeAllocation take : held.takes()) {
      NodeState node = take.node();
      if (node.aloneOnHost()) {
        nodesOf.add(node);
      } else {
        nodesOf.addAll(node.host().nodes());
      }
    }
    gained(new GainLog.Gain(nodesOf.toArray(NodeState[]::new), fromMs, toMs, false));
  }

  /** What is planned for a job: its nodes, and how long it has them. */
  public record Plan(JobAllocation held, long fromMs, long toMs) {}

  /**
   * A plan, of which the nodes know no more, has become another one, or a run, of which they do:
   * what the one held and the other does not is free.
   */
  public void moved(Plan before, Plan now) {
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
      } else if (!node.aloneOnHost() || node.promises().anyStartsIn(toMs, before.toMs())) {
        // Who wants the host to itself may be better off on its other nodes, too.
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
        // What is in use there only falls from then on: earlier starts are no better off.
        NodeState[] nodesOf = then.toArray(NodeState[]::new);
        gained(new GainLog.Gain(nodesOf, toMs, before.toMs(), true));
      }
    }
  }

  private static void gained(GainLog.Gain gain) {
    NodePool told = null;
    for (NodeState node : gain.nodes()) {
      // Nearly always all are of one pool; telling one twice does no harm.
      if (node.pool() != null && node.pool() != told) {
        told = node.pool();
        told.gained(gain);
      }
    }
  }

  /** Runs that should have ended by now are taken to end a moment later. */
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
    nodes.giveBack(hold.held());
    unindex(hold);
    occupy(hold.held(), Long.MIN_VALUE, hold.endMs(), -1);
  }

  /** What promises leave of the nodes changes; more than was known may break them. */
  private void occupy(JobAllocation held, long fromMs, long toMs, int sign) {
    List<NodeAllocation> takes = held.takes();
    for (int i = 0; i < takes.size(); i++) {
      NodeState node = takes.get(i).node();
      if (node.promises().isEmpty() && node.aloneOnHost()) {
        continue;
      }
      if (node.promises().occupy(fromMs, toMs, takes.get(i).amounts(), sign)) {
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
