/**
 * The words of execution: a run, what it is to execute, its terms, and what came of it.
 *
 * <p>In comes a {@link io.millrace.connectors.local.run.RunRequest} from whoever wants something
 * executed; out go {@link io.millrace.connectors.local.run.StartedRun} and {@link
 * io.millrace.connectors.local.run.FinishedRun} to a {@link
 * io.millrace.connectors.local.run.RunObserver}. Between the two stands an {@link
 * io.millrace.connectors.local.run.Execution}, of which there are several.
 *
 * <p>Invariant: nothing here touches a file, a process or Kafka; all of it is values.
 */
package io.millrace.connectors.local.run;
