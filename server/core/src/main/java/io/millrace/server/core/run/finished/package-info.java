/**
 * Subject run.finished: an executor says how a run ended.
 *
 * <p>In: ReportRunFinished. Out: RunFinished, or RunRequeued when the run was killed for a rerun or
 * could not be started at all; once for each run.
 *
 * <p>A run may have tasks on its hosts ({@link io.millrace.server.core.run.task}). One whose script
 * is over keeps what it holds until the last of them is: RunEnding and the orders to end them, then
 * TaskEnded for each, and with the last of these the end of the run.
 *
 * <p>Invariant: what the run held is free again, and the job is finished or waits.
 */
package io.millrace.server.core.run.finished;
