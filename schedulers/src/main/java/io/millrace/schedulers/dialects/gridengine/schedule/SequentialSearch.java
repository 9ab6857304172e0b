package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.reservations.timeline.Timeline;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Answer;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Finds one slot. Now: the first queue instance in their order that has everything, or with soft
 * requests the one that violates fewest. Later: the instance with the earliest time, which is the
 * latest of the earliest times of cluster, host and instance; of equal ones the one with fewer
 * violations.
 */
final class SequentialSearch implements Search.Way {

  private final Site site;
  private final Timeline timeline;
  private final Fitting fitting;
  private final Rules rules;
  private final QueueOrder order;

  SequentialSearch(Site site, Fitting fitting, Rules rules, QueueOrder order) {
    this.site = site;
    this.timeline = site.timeline();
    this.fitting = fitting;
    this.rules = rules;
    this.order = order;
  }

  @Override
  public Search now(Attempt attempt, long now) {
    order.restore();
    order.keep();
    Span span = Span.of(now, attempt.duration());
    Optional<Reason> ruledOut = rules.globally(attempt.job());
    ruledOut.ifPresent(attempt::because);
    if (ruledOut.isPresent()) {
      return Search.NEVER;
    }
    Answer global = fitting.within(site.global(), site.global(), attempt.category(), span);
    if (!global.fits()) {
      attempt.because(global.because());
      return Search.failed(global.outcome() == Outcome.LATER);
    }
    return best(attempt, span);
  }

  private Search best(Attempt attempt, Span span) {
    Place best = null;
    int fewest = Integer.MAX_VALUE;
    boolean later = false;
    BitSet noted = new BitSet();
    for (Place place : order.instances()) {
      Outcome outcome = place(attempt, place, span, noted);
      later |= outcome == Outcome.LATER;
      if (outcome == Outcome.FITS) {
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
    return best == null ? Search.failed(later) : found(attempt, best, span.from());
  }

  /**
   * @param noted hosts of which it is noted already why they do not fit
   */
  private Outcome place(Attempt attempt, Place place, Span span, BitSet noted) {
    Optional<Reason> ruledOut = rules.queue(attempt.job(), place, Optional.empty());
    if (ruledOut.isPresent()) {
      attempt.because(ruledOut.get());
      return Outcome.NEVER;
    }
    Answer onHost = fitting.within(place.host(), place.host(), attempt.category(), span);
    if (!onHost.fits()) {
      if (!noted.get(place.hostNumber())) {
        noted.set(place.hostNumber());
        attempt.because(onHost.because());
      }
      return onHost.outcome();
    }
    Answer inQueue = fitting.within(place.own(), place.host(), attempt.category(), span);
    if (!inQueue.fits()) {
      attempt.because(inQueue.because());
    }
    return inQueue.outcome();
  }

  private int violations(Attempt attempt, Place place, Span span) {
    return attempt.category().needs().hasSoft()
        ? fitting.violations(attempt.category(), place, span)
            + rules.softQueueViolations(attempt.job(), place)
        : 0;
  }

  @Override
  public Search earliest(Attempt attempt, long now) {
    Category category = attempt.category();
    if (rules.globally(attempt.job()).isPresent()
        || !fitting.possible(site.global(), site.global(), category)) {
      return Search.NEVER;
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
    return start == UsageProfile.NEVER ? Search.NEVER : at(attempt, open, start);
  }

  /** Of the places that have a slot from then on the one with fewest violations. */
  private Search at(Attempt attempt, List<Place> open, long start) {
    Span span = Span.of(start, attempt.duration());
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

  private static Search found(Attempt attempt, Place best, long at) {
    return Search.found(
        new Assignment(
            at, attempt.duration(), Optional.empty(), List.of(new Grant(best.queue(), 1))));
  }
}
