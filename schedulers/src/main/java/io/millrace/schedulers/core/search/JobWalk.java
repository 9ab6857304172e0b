package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.job.ClassState;

/** Walks all waiting jobs in the policy's order without changing the heaps in which they stand. */
public interface JobWalk {

  /** Begins before the first job. */
  void restart();

  /** Moves to the next waiting job; false when there is none. */
  boolean next();

  /** Class of the present job. */
  ClassState owner();

  /** Slot of the present job. */
  int slot();

  /** Skips the rest of the class of the present job. */
  void skipClass();

  /** Skips the rest of the class of the present job, which has not used up its queue's turn. */
  default void passOver() {
    skipClass();
  }
}
