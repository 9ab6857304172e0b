package io.millrace.schedulers.dialects.gridengine.schedule.search;

import io.millrace.reservations.timeline.Timeline;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck.FitAnswer;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck.FitOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Rules;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.dialects.gridengine.schedule.load.PlannedCluster;
import io.millrace.schedulers.dialects.gridengine.schedule.load.QueueOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Finds one slot. Now: the first queue instance in order that fits, or with soft requests the one
 * with the fewest violations. Later: the instance with the earliest start, which is the latest of
 * the earliest times of cluster, host and instance; among equals the one with fewer violations.
 */
public final class SequentialSearch implements SearchResult.PlaceSearch {

  private final PlannedCluster site;
  private final Timeline timeline;
  private final FitCheck fitting;
  private final Rules rules;
  private final QueueOrder order;

  public SequentialSearch(PlannedCluster site, FitCheck fitting, Rules rules, QueueOrder order) {
    this.site = site;
    this.timeline = site.timeline();
    this.fitting = fitting;
    this.rules = rules;
    this.order = order;
  }

  @Override
  public SearchResult now(PlacementAttempt attempt, long now) {
    order.restore();
    order.keep();
    TimeSpan span = TimeSpan.of(now, attempt.duration());
    Optional<Reason> ruledOut = rules.globally(attempt.job());
    ruledOut.ifPresent(attempt::because);
    if (ruledOut.isPresent()) {
      return SearchResult.NEVER;
    }
    FitAnswer global = fitting.within(site.global(), site.global(), attempt.category(), span);
    if (!global.fits()) {
      attempt.because(global.because());
      return SearchResult.failed(global.outcome() == FitOutcome.LATER);
    }
    return best(attempt, span);
  }

  private SearchResult best(PlacementAttempt attempt, TimeSpan span) {
    Place best = null;
    int fewest = Integer.MAX_VALUE;
    boolean later = false;
    BitSet noted = new BitSet();
    for (Place place : order.instances()) {
      FitOutcome outcome = place(attempt, place, span, noted);
      later |= outcome == FitOutcome.LATER;
      if (outcome == FitOutcome.FITS) {
        int violations = violations(attempt, place, span);
        if (violations < fewest) {
          best = place;
          fewest = violations;
        }
        if (fewest == 0) {
          break;
        }
      }
    }
    return best == null ? SearchResult.failed(later) : found(attempt, best, span.from());
  }

  /**
   * @param noted hosts whose reason for not fitting is noted already
   */
  private FitOutcome place(PlacementAttempt attempt, Place place, TimeSpan span, BitSet noted) {
    Optional<Reason> ruledOut = rules.queue(attempt.job(), place, Optional.empty());
    if (ruledOut.isPresent()) {
      attempt.because(ruledOut.get());
      return FitOutcome.NEVER;
    }
    FitAnswer onHost = fitting.within(place.host(), place.host(), attempt.category(), span);
    if (!onHost.fits()) {
      if (!noted.get(place.hostNumber())) {
        noted.set(place.hostNumber());
        attempt.because(onHost.because());
      }
      return onHost.outcome();
    }
    FitAnswer inQueue = fitting.within(place.own(), place.host(), attempt.category(), span);
    if (!inQueue.fits()) {
      attempt.because(inQueue.because());
    }
    return inQueue.outcome();
  }

  private int violations(PlacementAttempt attempt, Place place, TimeSpan span) {
    return attempt.category().needs().hasSoft()
        ? fitting.violations(attempt.category(), place, span)
            + rules.softQueueViolations(attempt.job(), place)
        : 0;
  }

  @Override
  public SearchResult earliest(PlacementAttempt attempt, long now) {
    Category category = attempt.category();
    if (rules.globally(attempt.job()).isPresent()
        || !fitting.possible(site.global(), site.global(), category)) {
      return SearchResult.NEVER;
    }
    List<Place> open = new ArrayList<>();
    for (Place place : order.instances()) {
      if (rules.queue(attempt.job(), place, Optional.empty()).isEmpty()
          && fitting.possible(place.host(), place.host(), category)
          && fitting.possible(place.own(), place.host(), category)) {
        open.add(place);
      }
    }
    int[] numbers = open.stream().mapToInt(Place::number).toArray();
    long start = timeline.earliest(category.claim(), numbers, now);
    return start == UsageProfile.NEVER ? SearchResult.NEVER : at(attempt, open, start);
  }

  /** The place with the fewest violations among those with a slot from this time on. */
  private SearchResult at(PlacementAttempt attempt, List<Place> open, long start) {
    TimeSpan span = TimeSpan.of(start, attempt.duration());
    Place best = null;
    int fewest = Integer.MAX_VALUE;
    for (Place place : open) {
      if (timeline.freeForGood(attempt.category().claim(), place.number()) <= start) {
        int violations = violations(attempt, place, span);
        if (violations < fewest) {
          best = place;
          fewest = violations;
        }
        if (fewest == 0) {
          break;
        }
      }
    }
    return found(attempt, best, start);
  }

  private static SearchResult found(PlacementAttempt attempt, Place best, long at) {
    return SearchResult.found(
        new Assignment(
            at, attempt.duration(), Optional.empty(), List.of(new Grant(best.queue(), 1))));
  }
}
