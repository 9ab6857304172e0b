/**
 * Subject run.missing: runs that were granted and that their host may never have heard of.
 *
 * <p>In: ReportRunMissing, the answer to the order AskRuns. Out: RunRequeued, or RunFinished for a
 * job that must not run twice and had begun.
 *
 * <p>Invariant: a run is given up only when the host, having read every order up to the question,
 * says that it does not have it; the end of a run is reported before its host forgets it.
 */
package io.millrace.server.core.run.missing;
