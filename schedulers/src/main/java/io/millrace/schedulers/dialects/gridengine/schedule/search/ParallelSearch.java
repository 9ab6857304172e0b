package io.millrace.schedulers.dialects.gridengine.schedule.search;

import io.millrace.reservations.timeline.ParallelRequest;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Rules;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.dialects.gridengine.schedule.load.PlannedCluster;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.request.EnvironmentRequest;
import io.millrace.schedulers.gridengine.language.request.SlotRanges;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Finds slots for parallel jobs. Now: the matching environment that gives the most slots. Later:
 * the environment that gives the smallest number of slots at the earliest time, then the largest
 * number at that time. Times are tried backwards from the last change of any resource until one
 * fails, so a gap before that is not found.
 */
public final class ParallelSearch implements SearchResult.PlaceSearch {

  private final Cluster cluster;
  private final PlannedCluster site;
  private final SlotGathering gathering;
  private final Rules rules;

  /** Environments that each requested name or pattern matches. */
  private final Map<String, List<ParallelEnvironment>> candidates = new HashMap<>();

  public ParallelSearch(
      Cluster cluster, PlannedCluster site, SlotGathering gathering, Rules rules) {
    this.cluster = cluster;
    this.site = site;
    this.gathering = gathering;
    this.rules = rules;
  }

  private record FoundAssignment(Assignment assignment, int violations) {}

  @Override
  public SearchResult now(PlacementAttempt attempt, long now) {
    FoundAssignment best = null;
    boolean later = false;
    List<ParallelEnvironment> candidates = candidates(attempt);
    if (candidates.size() > 1) {
      attempt.expectRepeats();
    }
    for (ParallelEnvironment environment : candidates) {
      Optional<Reason> ruledOut = rules.environment(attempt.job(), environment);
      ruledOut.ifPresent(attempt::because);
      if (ruledOut.isPresent()) {
        continue;
      }
      TimeSpan span = TimeSpan.of(now, attempt.duration());
      int atLeast = best == null ? request(attempt).slots().least() : best.assignment().slots();
      Optional<FoundAssignment> found = largest(attempt, environment, span, atLeast);
      if (found.isPresent() && (best == null || betterNow(found.get(), best))) {
        best = found.get();
      }
      later |= found.isEmpty() && asksForLater(attempt) && possibleLater(attempt, environment);
    }
    if (candidates.isEmpty()) {
      attempt.because(Reason.of(Code.NO_PE_MATCHES));
    }
    return best == null ? SearchResult.failed(later) : SearchResult.found(best.assignment());
  }

  private static boolean betterNow(FoundAssignment one, FoundAssignment other) {
    return one.assignment().slots() > other.assignment().slots()
        || one.violations() < other.violations();
  }

  /**
   * Whether a later start has to be searched for. With soft requests the search is made in any
   * case, because in Grid Engine it reorders the queue instances.
   */
  private static boolean asksForLater(PlacementAttempt attempt) {
    return attempt.reserve() || attempt.category().needs().hasSoft();
  }

  private boolean possibleLater(PlacementAttempt attempt, ParallelEnvironment environment) {
    SlotRanges slots = request(attempt).slots();
    return least(slots, environment)
        .map(n -> gathering.field(attempt, environment, TimeSpan.AT_THE_END).gather(n).slots() >= n)
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

  /** The largest number of slots within a time span; when there are none, the reason is noted. */
  private Optional<FoundAssignment> largest(
      PlacementAttempt attempt, ParallelEnvironment environment, TimeSpan span, int atLeast) {
    int offered = 0;
    int most = Integer.MAX_VALUE;
    SlotGathering.Field field = gathering.field(attempt, environment, span);
    Iterator<Integer> numbers =
        request(attempt)
            .slots()
            .descending(environment.slots())
            .filter(environment.rule()::allows)
            .filter(slots -> slots >= atLeast)
            .iterator();
    while (numbers.hasNext()) {
      int slots = numbers.next();
      if (slots > most) {
        continue;
      }
      SlotGathering.GatheredSlots gathered = field.gather(slots);
      if (gathered.slots() >= slots) {
        return Optional.of(found(attempt, environment, span, gathered));
      }
      offered = Math.max(offered, gathered.slots());
      most = field.most();
    }
    attempt.because(Reason.of(Code.PE_SLOTS, environment.name(), String.valueOf(offered)));
    return Optional.empty();
  }

  private static FoundAssignment found(
      PlacementAttempt attempt,
      ParallelEnvironment environment,
      TimeSpan span,
      SlotGathering.GatheredSlots gathered) {
    Assignment assignment =
        new Assignment(
            span.from(), attempt.duration(), Optional.of(environment), gathered.grants());
    return new FoundAssignment(assignment, gathered.violations());
  }

  @Override
  public SearchResult earliest(PlacementAttempt attempt, long now) {
    FoundAssignment best = null;
    for (ParallelEnvironment environment : candidates(attempt)) {
      if (rules.environment(attempt.job(), environment).isEmpty()) {
        Optional<FoundAssignment> found = earliest(attempt, environment, now);
        if (found.isPresent() && (best == null || earlier(found.get(), best))) {
          best = found.get();
        }
      }
    }
    if (best == null) {
      return SearchResult.NEVER;
    }
    Assignment earliest = best.assignment();
    TimeSpan span = TimeSpan.of(earliest.start(), attempt.duration());
    return largest(attempt, earliest.environment().orElseThrow(), span, earliest.slots())
        .map(found -> SearchResult.found(found.assignment()))
        .orElse(SearchResult.found(earliest));
  }

  private static boolean earlier(FoundAssignment one, FoundAssignment other) {
    long start = one.assignment().start();
    return start < other.assignment().start()
        || (start == other.assignment().start() && one.violations() < other.violations());
  }

  private Optional<FoundAssignment> earliest(
      PlacementAttempt attempt, ParallelEnvironment environment, long now) {
    Optional<Integer> least = least(request(attempt).slots(), environment);
    Optional<ParallelRequest.Candidates> places =
        least.isEmpty() ? Optional.empty() : gathering.places(attempt, environment);
    if (places.isEmpty()) {
      return Optional.empty();
    }
    Category category = attempt.category();
    ParallelRequest spread =
        new ParallelRequest(
            category.claim(),
            site.number(environment),
            least.get(),
            environment.rule().exactPerHost(least.get()),
            attempt.duration() >= Numbers.UNLIMITED_S ? UsageProfile.FOREVER : attempt.duration(),
            places.get());
    if (category.needs().hasSoft() || gathering.limitsByUse(category)) {
      return backwards(attempt, environment, spread, now);
    }
    long start = UsageProfile.NEVER;
    boolean oneHost = SlotGathering.oneHost(environment, least.get());
    for (ParallelRequest.Candidates together : gathering.together(places.get(), oneHost)) {
      start = Math.min(start, site.timeline().earliest(spread.on(together), now));
    }
    return start == UsageProfile.NEVER
        ? Optional.empty()
        : gather(attempt, environment, spread.slots(), start);
  }

  private Optional<FoundAssignment> gather(
      PlacementAttempt attempt, ParallelEnvironment environment, int slots, long start) {
    TimeSpan span = TimeSpan.of(start, attempt.duration());
    SlotGathering.GatheredSlots gathered =
        gathering.field(attempt, environment, span).gather(slots);
    return gathered.slots() < slots
        ? Optional.empty()
        : Optional.of(found(attempt, environment, span, gathered));
  }

  /**
   * Gathers slots at each tried time. This is needed with soft requests, because, as in Grid
   * Engine, it orders the queue instances by their violations at that time and later sorts keep
   * that order among equals. It is also needed with thresholds of consumables that the job takes,
   * because the timeline does not contain them.
   */
  private Optional<FoundAssignment> backwards(
      PlacementAttempt attempt, ParallelEnvironment environment, ParallelRequest spread, long now) {
    Optional<FoundAssignment> earliest = Optional.empty();
    LongUnaryOperator changes = site.timeline().changes(spread);
    int places = spread.places().open().length + spread.places().watched().length;
    long time = Math.max(now, changes.applyAsLong(Long.MAX_VALUE - 1));
    do {
      rules.looked(places);
      Optional<FoundAssignment> found = gather(attempt, environment, spread.slots(), time);
      if (found.isEmpty()) {
        break;
      }
      earliest = found;
      time = changes.applyAsLong(time - 1);
    } while (time >= now);
    return earliest;
  }

  private List<ParallelEnvironment> candidates(PlacementAttempt attempt) {
    EnvironmentRequest request = request(attempt);
    return candidates.computeIfAbsent(request.name(), name -> request.candidates(cluster));
  }

  private static EnvironmentRequest request(PlacementAttempt attempt) {
    return attempt.job().needs().environment().orElseThrow();
  }
}
