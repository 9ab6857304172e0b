package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.EnvironmentRequest;
import io.millrace.schedulers.dialects.gridengine.request.SlotRanges;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds slots for parallel jobs. Now: of all environments that are meant the one that gives most
 * slots. Later: the environment with the earliest time for the least number of slots, then the
 * largest number at that time. Times are tried from the last change of any resource backwards,
 * until one fails: a gap before it is not looked for.
 */
final class ParallelSearch implements Search.Way {

  private final Cluster cluster;
  private final Containers containers;
  private final Harvest harvest;
  private final Rules rules;
  private final QueueOrder order;

  ParallelSearch(
      Cluster cluster, Containers containers, Harvest harvest, Rules rules, QueueOrder order) {
    this.cluster = cluster;
    this.containers = containers;
    this.harvest = harvest;
    this.rules = rules;
    this.order = order;
  }

  private record Found(Assignment assignment, int violations) {}

  @Override
  public Search now(Attempt attempt, long now) {
    Found best = null;
    boolean later = false;
    List<ParallelEnvironment> candidates = request(attempt).candidates(cluster);
    for (ParallelEnvironment environment : candidates) {
      Optional<Reason> ruledOut = rules.environment(attempt.job(), environment);
      ruledOut.ifPresent(attempt::because);
      if (ruledOut.isPresent()) {
        continue;
      }
      Span span = Span.of(now, attempt.duration());
      int atLeast = best == null ? request(attempt).slots().least() : best.assignment().slots();
      Optional<Found> found = largest(attempt, environment, span, atLeast);
      if (found.isPresent() && (best == null || betterNow(found.get(), best))) {
        best = found.get();
      }
      later |= found.isEmpty() && possibleLater(attempt, environment);
    }
    if (candidates.isEmpty()) {
      attempt.because(Code.NO_PE_MATCHES);
    }
    return best == null ? Search.failed(later) : Search.found(best.assignment());
  }

  private static boolean betterNow(Found one, Found other) {
    return one.assignment().slots() > other.assignment().slots()
        || one.violations() < other.violations();
  }

  private boolean possibleLater(Attempt attempt, ParallelEnvironment environment) {
    SlotRanges slots = request(attempt).slots();
    return least(slots, environment)
        .map(n -> harvest.slots(attempt, environment, n, Span.AT_THE_END).slots() >= n)
        .orElse(false);
  }

  private static Optional<Integer> least(SlotRanges slots, ParallelEnvironment environment) {
    int limit = environment.slots();
    return slots
        .descending(limit)
        .filter(environment.rule()::allows)
        .boxed()
        .reduce((larger, smaller) -> smaller);
  }

  /** The largest number of slots within a span; why there is none is noted. */
  private Optional<Found> largest(
      Attempt attempt, ParallelEnvironment environment, Span span, int atLeast) {
    int offered = 0;
    Iterator<Integer> numbers =
        request(attempt)
            .slots()
            .descending(environment.slots())
            .filter(environment.rule()::allows)
            .filter(slots -> slots >= atLeast)
            .iterator();
    while (numbers.hasNext()) {
      int slots = numbers.next();
      Harvest.Crop crop = harvest.slots(attempt, environment, slots, span);
      if (crop.slots() >= slots) {
        return Optional.of(found(attempt, environment, span, crop));
      }
      offered = Math.max(offered, crop.slots());
    }
    attempt.because(Code.PE_SLOTS, environment.name(), String.valueOf(offered));
    return Optional.empty();
  }

  private static Found found(
      Attempt attempt, ParallelEnvironment environment, Span span, Harvest.Crop crop) {
    Assignment assignment =
        new Assignment(span.from(), attempt.duration(), Optional.of(environment), crop.grants());
    return new Found(assignment, crop.violations());
  }

  @Override
  public Search earliest(Attempt attempt, long now) {
    Found best = null;
    for (ParallelEnvironment environment : request(attempt).candidates(cluster)) {
      if (rules.environment(attempt.job(), environment).isEmpty()) {
        Optional<Found> found = earliest(attempt, environment, now);
        if (found.isPresent() && (best == null || earlier(found.get(), best))) {
          best = found.get();
        }
      }
    }
    if (best == null) {
      return Search.NEVER;
    }
    Assignment earliest = best.assignment();
    Span span = Span.of(earliest.start(), attempt.duration());
    return largest(attempt, earliest.environment().orElseThrow(), span, earliest.slots())
        .map(found -> Search.found(found.assignment()))
        .orElse(Search.found(earliest));
  }

  private static boolean earlier(Found one, Found other) {
    long start = one.assignment().start();
    return start < other.assignment().start()
        || (start == other.assignment().start() && one.violations() < other.violations());
  }

  private Optional<Found> earliest(Attempt attempt, ParallelEnvironment environment, long now) {
    Optional<Integer> least = least(request(attempt).slots(), environment);
    if (least.isEmpty()) {
      return Optional.empty();
    }
    Found earliest = null;
    for (long time : changes(attempt, environment, now).descendingSet()) {
      Span span = Span.of(time, attempt.duration());
      Harvest.Crop crop = harvest.slots(attempt, environment, least.get(), span);
      if (crop.slots() < least.get()) {
        break;
      }
      earliest = found(attempt, environment, span, crop);
    }
    return Optional.ofNullable(earliest);
  }

  /** Times at which the use of something that the job needs changes; now, when nothing does. */
  private NavigableSet<Long> changes(Attempt attempt, ParallelEnvironment environment, long now) {
    NavigableSet<Long> times = new TreeSet<>();
    Complex slots = cluster.complexes().slots();
    times.addAll(containers.environment(environment).usage(slots).changes());
    add(containers.global(), attempt, times);
    for (QueueInstance queue : order.instances()) {
      if (rules.queue(attempt.job(), queue, Optional.of(environment)).isEmpty()) {
        add(containers.host(queue), attempt, times);
        add(containers.queue(queue), attempt, times);
      }
    }
    times.removeIf(time -> time < now);
    if (times.isEmpty()) {
      times.add(now);
    }
    return times;
  }

  private void add(Container container, Attempt attempt, NavigableSet<Long> times) {
    for (Demand demand : Demand.list(container, attempt.job().needs(), cluster.complexes())) {
      if (container.limits(demand.complex())) {
        times.addAll(container.usage(demand.complex()).changes());
        times.addAll(container.shared(demand.complex()).changes());
      }
    }
  }

  private static EnvironmentRequest request(Attempt attempt) {
    return attempt.job().needs().environment().orElseThrow();
  }
}
