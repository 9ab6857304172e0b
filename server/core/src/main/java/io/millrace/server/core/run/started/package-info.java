/**
 * Subject run.started: an executor says that a run has begun.
 *
 * <p>In: ReportRunStarted, also of a run or a task that goes on when its host says that it is
 * there. Out: RunStarted, once; what nobody waits for any more is ended, and what it printed
 * discarded.
 */
package io.millrace.server.core.run.started;
