package io.millrace.connectors.local.run;

import io.millrace.connectors.local.execution.LocalExecution;

/**
 * Observes runs. Each run is reported as started at most once and as finished exactly once by one
 * {@link LocalExecution}, and again by the next one if it was not released. Calls come from one
 * thread at a time and delay the following ones, so they should be quick.
 */
public interface RunObserver {
  void started(StartedRun started);

  void finished(FinishedRun finished);

  /**
   * What an outside system says of a run that it has.
   *
   * @param origin the word the caller gave in {@link RunTerms}
   * @param text one line; empty when nothing is to be said any more
   */
  default void outside(RunId id, String origin, String text) {}

  /**
   * What an outside system has answered to an order about a run.
   *
   * @param origin the word the caller gave in {@link RunTerms}
   */
  default void answered(RunId id, String origin, OutsideReply reply) {}
}
