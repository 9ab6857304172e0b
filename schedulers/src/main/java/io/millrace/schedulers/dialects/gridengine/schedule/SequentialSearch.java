package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Answer;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Outcome;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds one slot. Now: the first queue instance in their order that has everything, or with soft
 * requests the one that violates fewest. Later: the instance with the earliest time, which is the
 * latest of the earliest times of cluster, host and instance; of equal ones the one with fewer
 * violations.
 */
final class SequentialSearch implements Search.Way {

  private final Containers containers;
  private final Fitting fitting;
  private final Rules rules;
  private final QueueOrder order;

  SequentialSearch(Containers containers, Fitting fitting, Rules rules, QueueOrder order) {
    this.containers = containers;
    this.fitting = fitting;
    this.rules = rules;
    this.order = order;
  }

  private record Candidate(QueueInstance queue, long at, int violations) {

    boolean betterThan(Candidate other) {
      return other == null || at < other.at || (at == other.at && violations < other.violations);
    }
  }

  @Override
  public Search now(Attempt attempt, long now) {
    order.restore();
    order.keep();
    Needs needs = attempt.job().needs();
    Span span = Span.of(now, attempt.duration());
    Optional<Reason> ruledOut = rules.globally(attempt.job());
    ruledOut.ifPresent(attempt::because);
    if (ruledOut.isPresent()) {
      return Search.NEVER;
    }
    Set<String> met = new HashSet<>();
    Answer global = fitting.within(containers.global(), needs, span, met);
    if (!global.fits()) {
      attempt.because(Code.CANNOT_RUN_GLOBALLY, needs.quoted(), global.because());
      return Search.failed(global.outcome() == Outcome.LATER);
    }
    return best(attempt, span, met);
  }

  private Search best(Attempt attempt, Span span, Set<String> metGlobally) {
    Candidate best = null;
    boolean later = false;
    for (QueueInstance queue : order.instances()) {
      Answer answer = place(attempt, queue, span, metGlobally);
      later |= answer.outcome() == Outcome.LATER;
      if (answer.fits()) {
        Candidate candidate = new Candidate(queue, span.from(), violations(attempt, queue, span));
        best = candidate.betterThan(best) ? candidate : best;
        if (best.violations() == 0) {
          break;
        }
      }
    }
    return best == null ? Search.failed(later) : found(attempt, best);
  }

  private Answer place(Attempt attempt, QueueInstance queue, Span span, Set<String> metGlobally) {
    Optional<Reason> ruledOut = rules.queue(attempt.job(), queue, Optional.empty());
    if (ruledOut.isPresent()) {
      attempt.because(ruledOut.get());
      return new Answer(Outcome.NEVER, 0, "");
    }
    Needs needs = attempt.job().needs();
    Set<String> met = new HashSet<>(metGlobally);
    Answer onHost = fitting.within(containers.host(queue), needs, span, met);
    if (!onHost.fits()) {
      attempt.because(Code.CANNOT_RUN_AT_HOST, needs.quoted(), queue.host(), onHost.because());
      return onHost;
    }
    Answer inQueue = fitting.within(containers.queue(queue), needs, span, met);
    if (!inQueue.fits()) {
      attempt.because(Code.CANNOT_RUN_IN_QUEUE, needs.quoted(), queue.name(), inQueue.because());
    }
    return inQueue;
  }

  private int violations(Attempt attempt, QueueInstance queue, Span span) {
    Needs needs = attempt.job().needs();
    if (!needs.hasSoft()) {
      return 0;
    }
    Set<String> met = new HashSet<>();
    return fitting.violations(containers.global(), needs, span, met)
        + fitting.violations(containers.host(queue), needs, span, met)
        + fitting.violations(containers.queue(queue), needs, span, met)
        + rules.softQueueViolations(attempt.job(), queue);
  }

  @Override
  public Search earliest(Attempt attempt, long now) {
    Needs needs = attempt.job().needs();
    Set<String> met = new HashSet<>();
    Answer global = fitting.earliest(containers.global(), needs, met);
    if (!global.fits() || rules.globally(attempt.job()).isPresent()) {
      return Search.NEVER;
    }
    Candidate best = null;
    for (QueueInstance queue : order.instances()) {
      Answer answer = earliest(attempt, queue, met);
      if (answer.fits()) {
        long at = Math.max(now, Math.max(global.at(), answer.at()));
        Span span = Span.of(at, attempt.duration());
        Candidate candidate = new Candidate(queue, at, violations(attempt, queue, span));
        best = candidate.betterThan(best) ? candidate : best;
      }
    }
    return best == null ? Search.NEVER : found(attempt, best);
  }

  private Answer earliest(Attempt attempt, QueueInstance queue, Set<String> metGlobally) {
    if (rules.queue(attempt.job(), queue, Optional.empty()).isPresent()) {
      return new Answer(Outcome.NEVER, 0, "");
    }
    Needs needs = attempt.job().needs();
    Set<String> met = new HashSet<>(metGlobally);
    Answer onHost = fitting.earliest(containers.host(queue), needs, met);
    Answer inQueue = onHost.fits() ? fitting.earliest(containers.queue(queue), needs, met) : onHost;
    return inQueue.fits()
        ? new Answer(Outcome.FITS, Math.max(onHost.at(), inQueue.at()), "")
        : inQueue;
  }

  private static Search found(Attempt attempt, Candidate best) {
    return Search.found(
        new Assignment(
            best.at(), attempt.duration(), Optional.empty(), List.of(new Grant(best.queue(), 1))));
  }
}
