package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Outcome;
import java.util.Optional;

/** What a search for a place came to. Sequential and parallel jobs have each their own search. */
record Search(Outcome outcome, Optional<Assignment> assignment) {

  static final Search LATER = new Search(Outcome.LATER, Optional.empty());
  static final Search NEVER = new Search(Outcome.NEVER, Optional.empty());

  static Search found(Assignment assignment) {
    return new Search(Outcome.FITS, Optional.of(assignment));
  }

  static Search failed(boolean later) {
    return later ? LATER : NEVER;
  }

  /** A way to find places for one kind of jobs. */
  interface Way {

    /** A place where the task can start now. */
    Search now(Attempt attempt, long now);

    /** The earliest place; after the start nothing may get in its way. */
    Search earliest(Attempt attempt, long now);
  }
}
