package io.millrace.schedulers.dialects.gridengine.schedule.search;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck.FitOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import java.util.Optional;

/** Result of a search for a place. */
public record SearchResult(FitOutcome outcome, Optional<Assignment> assignment) {

  public static final SearchResult LATER = new SearchResult(FitOutcome.LATER, Optional.empty());
  static final SearchResult NEVER = new SearchResult(FitOutcome.NEVER, Optional.empty());

  static SearchResult found(Assignment assignment) {
    return new SearchResult(FitOutcome.FITS, Optional.of(assignment));
  }

  static SearchResult failed(boolean later) {
    return later ? LATER : NEVER;
  }

  /** A search for one kind of jobs; sequential and parallel jobs have one each. */
  public interface PlaceSearch {

    /** A place where the task can start now. */
    SearchResult now(PlacementAttempt attempt, long now);

    /** The earliest place that stays free from its start on. */
    SearchResult earliest(PlacementAttempt attempt, long now);
  }
}
