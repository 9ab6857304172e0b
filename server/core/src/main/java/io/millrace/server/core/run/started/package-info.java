/**
 * Subject run.started: an executor says that a run has begun.
 *
 * <p>In: ReportRunStarted. Out: RunStarted, once; a report of another run number has that stale run
 * killed.
 */
package io.millrace.server.core.run.started;
