/**
 * Subject run.requeue: a running job is to run again from the start.
 *
 * <p>In: RerunJob. Out: RunKillRequested and the order KillRun; the job waits again when the run's
 * end is reported.
 *
 * <p>Invariant: the next run starts only after the end of the one before, unless the host of that
 * one is down and an operator wants the job to run again by force.
 */
package io.millrace.server.core.run.requeue;
