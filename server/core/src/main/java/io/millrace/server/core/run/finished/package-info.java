/**
 * Subject run.finished: an executor says how a run ended.
 *
 * <p>In: ReportRunFinished. Out: RunFinished, or RunRequeued when the run was killed for a rerun or
 * could not be started at all; once for each run.
 *
 * <p>Invariant: what the run held is free again, and the job is finished or waits.
 */
package io.millrace.server.core.run.finished;
