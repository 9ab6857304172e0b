package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks the slow way that a cycle has kept its promises. In the order of the jobs, each promise is
 * checked against what ran before and what earlier jobs got. If it is still possible, the job must
 * have started, or its promise must be no later than before.
 *
 * <p>If all promises of later jobs were possible beside this job's promise, they must still be
 * beside what it got: only jobs that had no place before, or lost it, come first.
 */
final class PromiseCheck {

  private static final int CPUS = 8;
  private static final long MEMORY = 4L << 30;

  private record Place(JobSpec spec, List<NodeShare> shares, long fromMs, long toMs) {

    Sharing sharing() {
      return PlaceRequest.of(spec.getRequest().getPlace()).sharing();
    }
  }

  private final long nowMs;
  private final ClusterObject queue;
  private final int depth;
  private final ReferenceNodeSharing company;
  private final List<Place> beside = new ArrayList<>();
  private final Map<Long, Place> before = new TreeMap<>();
  private final Map<Long, Place> after = new TreeMap<>();
  private final Set<Long> started = new HashSet<>();
  private int moved;

  /**
   * @param depth most promises that the policy makes
   */
  PromiseCheck(long nowMs, ClusterObject queue, int depth, ReferenceNodeSharing company) {
    this.nowMs = nowMs;
    this.queue = queue;
    this.depth = depth;
    this.company = company;
  }

  /** A job that ran before the cycle. */
  void runs(JobSpec spec, List<NodeShare> shares, long endMs) {
    beside.add(new Place(spec, shares, nowMs, endMs));
  }

  void before(long number, JobSpec spec, Promise promise) {
    before.put(number, new Place(spec, promise.shares(), promise.fromMs(), promise.toMs()));
  }

  void starts(long number, JobSpec spec, List<NodeShare> shares, long endMs) {
    started.add(number);
    after.put(number, new Place(spec, shares, nowMs, endMs));
  }

  void after(long number, JobSpec spec, Promise promise) {
    after.put(number, new Place(spec, promise.shares(), promise.fromMs(), promise.toMs()));
  }

  /** Number of promises that had to move later or were lost. */
  int moved() {
    return moved;
  }

  void check(String where) {
    Set<Long> numbers = new TreeSet<>(before.keySet());
    numbers.addAll(after.keySet());
    int promises = 0;
    for (long number : numbers) {
      Place was = before.get(number);
      Place is = after.get(number);
      boolean may = was != null && promises < depth && possible(was);
      if (may) {
        assertTrue(is != null, where + ": the promise of " + number + " is lost");
        assertTrue(
            is.fromMs <= Math.max(nowMs, was.fromMs),
            where + ": " + number + " from " + was.fromMs + " to " + is.fromMs);
      }
      boolean all = may && allPossible(was, number);
      assertTrue(!all || allPossible(is, number), where + ": " + number + " is in the way");
      if (is != null) {
        beside.add(is);
      }
      moved += was != null && (is == null || is.fromMs > Math.max(nowMs, was.fromMs)) ? 1 : 0;
      promises += is != null && !started.contains(number) ? 1 : 0;
    }
  }

  /** True when a place is possible together with all promises of later jobs. */
  private boolean allPossible(Place place, long number) {
    List<Place> sofar = List.copyOf(beside);
    beside.add(place);
    boolean all = true;
    for (long other : before.keySet()) {
      if (other > number) {
        all &= possible(before.get(other));
        beside.add(before.get(other));
      }
    }
    beside.clear();
    beside.addAll(sofar);
    return all;
  }

  private boolean possible(Place place) {
    List<JobSpec> specs = new ArrayList<>(beside.stream().map(Place::spec).toList());
    specs.add(place.spec);
    if (!ReferenceLimits.beyond(queue, place.spec, specs).isEmpty()) {
      return false;
    }
    Map<String, UsageProfile> used = new TreeMap<>();
    beside.forEach(it -> UsedAmounts.debit(used, it.shares, it.fromMs, it.toMs));
    UsedAmounts.debit(used, place.shares, place.fromMs, place.toMs);
    for (NodeShare share : place.shares) {
      for (String resource : share.getAmounts().keySet()) {
        UsageProfile profile = used.get(share.getNode() + " " + resource);
        long has = resource.equals("ncpus") ? CPUS : MEMORY;
        if (profile.max(place.fromMs, place.toMs) > has) {
          return false;
        }
      }
    }
    return beside.stream().noneMatch(it -> excludes(it, place));
  }

  /**
   * True when two jobs cannot be at their places together, because one of them has nodes
   * exclusively.
   */
  private boolean excludes(Place one, Place other) {
    return one.fromMs < other.toMs
        && other.fromMs < one.toMs
        && company.excludes(one.sharing(), one.shares, other.sharing(), other.shares);
  }
}
