/**
 * {@code ./millrace simulate}: runs a workload trace through the scheduler and shows the result.
 *
 * <p>In: a trace in the Standard Workload Format, names of policies. Out: the metrics of each
 * policy as a table or JSON, the times of each job as CSV, a page with plots that needs no network.
 *
 * <p>Invariant: the decisions are those of the cycle that the live engine runs; this package only
 * reads files and shows results. Damaged lines of a trace are skipped and counted.
 */
package io.millrace.ops.simulate;
