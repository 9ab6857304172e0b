package io.millrace.connectors.local.run;

import io.millrace.connectors.local.execution.LocalExecution;

/**
 * Hears of runs. Each run is told as started at most once and as finished exactly once in a life of
 * {@link LocalExecution}, and again in the next life if it was not released. Calls come from one
 * thread at a time and hold up what follows, so that they should be quick.
 */
public interface RunObserver {
  void started(StartedRun started);

  void finished(FinishedRun finished);
}
