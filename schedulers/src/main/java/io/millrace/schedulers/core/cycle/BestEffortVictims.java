package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.RunBook;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the best-effort runs that are in the way of a start.
 *
 * <p>Simple semantics, node by node: what the runs that are to end anyway leave comes first. When
 * that is not enough, as few others as possible end, and of all choices of so few the one with the
 * youngest. A run ends too when either side has the node, or its host, to itself.
 *
 * <p>"As few as possible" is exact where one resource is short; where several are, no smaller
 * number is enough in each of them for itself.
 */
final class BestEffortVictims {

  /**
   * @param waitsFor runs that have to be gone
   * @param ended those of them that have not been told to end
   */
  record VictimRuns(Set<Long> waitsFor, Set<Long> ended) {}

  /** A run or a proposal on a node, and all that it holds there. */
  private record BestEffortCandidate(
      long number, long startMs, JobAllocation held, long[] amounts) {}

  private static final Comparator<BestEffortCandidate> YOUNGEST =
      Comparator.comparingLong((BestEffortCandidate it) -> -it.startMs)
          .thenComparingLong(it -> -it.number);

  private final SchedulerState rest;
  private final Set<Long> ending;
  private final Set<Long> proposed;

  /** The runs on each node; null when they have to be looked up. */
  private Map<NodeState, List<BestEffortCandidate>> byNode;

  /**
   * @param ending runs that are to end for others
   * @param proposed starts of best-effort jobs that are on their way; the shard decides about them
   *     first
   */
  BestEffortVictims(SchedulerState rest, Set<Long> ending, Set<Long> proposed) {
    this.rest = rest;
    this.ending = ending;
    this.proposed = proposed;
  }

  /** What is in the way of a job whose nodes are allocated to it already. */
  VictimRuns inTheWayOf(long number) {
    VictimRuns found = new VictimRuns(new LinkedHashSet<>(), new LinkedHashSet<>());
    TimedAllocation hold = rest.books().holdings().get(number);
    if (hold == null) {
      return found;
    }
    for (NodeAllocation take : hold.held().takes()) {
      NodeState node = rest.books().nodes().get(take.node().name());
      if (node != null) {
        alone(node, hold.held().sharing(take), found);
        amounts(node, take.amounts(), found);
      }
    }
    return found;
  }

  /** Runs with which the job cannot share the node or its host. */
  private void alone(NodeState node, Sharing sharing, VictimRuns found) {
    if (sharing == Sharing.SHARED && node.exclusive() == 0 && node.aloneOnHost()) {
      return;
    }
    for (BestEffortCandidate it : on(node)) {
      if (sharing != Sharing.SHARED || on(node, it.held) != Sharing.SHARED) {
        add(it, found);
      }
    }
    if (!node.aloneOnHost()) {
      for (NodeState beside : node.host().nodes()) {
        for (BestEffortCandidate it : on(beside)) {
          if (sharing == Sharing.EXCLHOST || on(beside, it.held) == Sharing.EXCLHOST) {
            add(it, found);
          }
        }
      }
    }
  }

  private static Sharing on(NodeState node, JobAllocation held) {
    return held.asked().on(node.sharing());
  }

  private void add(BestEffortCandidate it, VictimRuns found) {
    found.waitsFor.add(it.number);
    if (!leaves(it.number)) {
      found.ended.add(it.number);
    }
  }

  private boolean leaves(long number) {
    return ending.contains(number) || rest.books().preemption().runs().killed(number);
  }

  private void amounts(NodeState node, long[] wanted, VictimRuns found) {
    long[] unused = rest.books().nodes().reserved().unused(node.name());
    long[] lacking = new long[wanted.length];
    boolean any = false;
    for (int i = 0; i < wanted.length; i++) {
      long free = ResourceNames.at(node.free(), i) + ResourceNames.at(unused, i);
      boolean counts = wanted[i] > 0 && !rest.books().names().withoutLimit(i);
      lacking[i] = counts ? Math.max(0, -free) : 0;
      any |= lacking[i] > 0;
    }
    if (!any) {
      return;
    }
    List<BestEffortCandidate> others = new ArrayList<>();
    for (BestEffortCandidate it : on(node)) {
      if (leaves(it.number) || found.ended.contains(it.number)) {
        found.waitsFor.add(it.number);
        subtract(lacking, it.amounts);
      } else {
        others.add(it);
      }
    }
    others.sort(YOUNGEST);
    fewest(others, lacking).forEach(it -> add(it, found));
  }

  private static void subtract(long[] lacking, long[] amounts) {
    for (int i = 0; i < lacking.length; i++) {
      lacking[i] = Math.max(0, lacking[i] - ResourceNames.at(amounts, i));
    }
  }

  /** As few as are enough; all that help where not even all are. */
  private static List<BestEffortCandidate> fewest(
      List<BestEffortCandidate> youngestFirst, long[] lacking) {
    if (isNothing(lacking)) {
      return List.of();
    }
    List<BestEffortCandidate> helpful = new ArrayList<>(youngestFirst);
    helpful.removeIf(it -> !helps(it, lacking));
    for (int count = least(helpful, lacking); count < helpful.size(); count++) {
      List<BestEffortCandidate> chosen = youngest(helpful, lacking, count);
      if (chosen != null) {
        return chosen;
      }
    }
    return helpful;
  }

  /** A number below which no choice is enough: of the largest in each resource for itself. */
  private static int least(List<BestEffortCandidate> all, long[] lacking) {
    int least = 1;
    for (int i = 0; i < lacking.length; i++) {
      long[] sizes = lacking[i] > 0 ? sizes(all, 0, i) : new long[0];
      long sum = 0;
      for (int count = 1; count <= sizes.length && sum < lacking[i]; count++) {
        sum += sizes[sizes.length - count];
        least = Math.max(least, count);
      }
    }
    return least;
  }

  /** Amounts of those from an index on, the smallest first. */
  private static long[] sizes(List<BestEffortCandidate> all, int from, int resource) {
    long[] sizes = new long[all.size() - from];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = ResourceNames.at(all.get(from + i).amounts, resource);
    }
    Arrays.sort(sizes);
    return sizes;
  }

  private static boolean helps(BestEffortCandidate it, long[] lacking) {
    for (int i = 0; i < lacking.length; i++) {
      if (lacking[i] > 0 && ResourceNames.at(it.amounts, i) > 0) {
        return true;
      }
    }
    return false;
  }

  /** The youngest of this number that are enough; null when none were found. */
  private static List<BestEffortCandidate> youngest(
      List<BestEffortCandidate> youngestFirst, long[] lacking, int count) {
    List<BestEffortCandidate> first = youngestFirst.subList(0, count);
    long[] left = lacking.clone();
    first.forEach(it -> subtract(left, it.amounts));
    if (isNothing(left)) {
      // As nearly always, where tasks are of one size.
      return first;
    }
    List<BestEffortCandidate> chosen = new ArrayList<>(count);
    long[] still = lacking.clone();
    for (int i = 0; i < youngestFirst.size() && chosen.size() < count; i++) {
      long[] then = still.clone();
      subtract(then, youngestFirst.get(i).amounts);
      if (canBeEnough(youngestFirst, i + 1, then, count - chosen.size() - 1)) {
        chosen.add(youngestFirst.get(i));
        still = then;
      }
    }
    return isNothing(still) ? chosen : null;
  }

  /** Whether the largest of those from an index on are enough in each resource for itself. */
  private static boolean canBeEnough(
      List<BestEffortCandidate> all, int from, long[] lacking, int count) {
    for (int i = 0; i < lacking.length; i++) {
      if (lacking[i] > 0) {
        long[] sizes = sizes(all, from, i);
        long sum = 0;
        for (int k = 1; k <= Math.min(count, sizes.length); k++) {
          sum += sizes[sizes.length - k];
        }
        if (sum < lacking[i]) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isNothing(long[] amounts) {
    for (long amount : amounts) {
      if (amount > 0) {
        return false;
      }
    }
    return true;
  }

  /** A round begins: which runs are where is looked up again when it is needed. */
  void begin() {
    byNode = null;
  }

  /** The best-effort runs on a node, and those that are about to begin there. */
  private List<BestEffortCandidate> on(NodeState node) {
    if (byNode == null) {
      byNode = new HashMap<>();
      for (RunBook.RecordedRun run : rest.books().preemption().runs().all()) {
        index(run.number(), run.startMs());
      }
      for (long number : proposed) {
        index(number, Long.MAX_VALUE);
      }
    }
    return byNode.getOrDefault(node, List.of());
  }

  private void index(long number, long startMs) {
    TimedAllocation hold = rest.books().holdings().get(number);
    if (hold == null) {
      return;
    }
    Map<NodeState, long[]> here = new LinkedHashMap<>();
    for (NodeAllocation take : hold.held().takes()) {
      here.merge(take.node(), take.amounts(), BestEffortVictims::sum);
    }
    here.forEach(
        (node, amounts) ->
            byNode
                .computeIfAbsent(node, it -> new ArrayList<>())
                .add(new BestEffortCandidate(number, startMs, hold.held(), amounts)));
  }

  private static long[] sum(long[] some, long[] more) {
    long[] sum = Arrays.copyOf(some, Math.max(some.length, more.length));
    for (int i = 0; i < more.length; i++) {
      sum[i] += more[i];
    }
    return sum;
  }
}
