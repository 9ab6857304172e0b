/**
 * {@code ./millrace simulate}: a workload trace through the scheduler, and what came of it.
 *
 * <p>In: a trace in the Standard Workload Format, names of policies. Out: the metrics of each
 * policy as a table or JSON, the times of each job as CSV, a page with plots that needs no network.
 *
 * <p>Invariant: the decisions are those of the cycle that the live engine runs; here is only what
 * reads files and shows results. A trace that is damaged costs the damaged lines, which are
 * counted.
 */
package io.millrace.ops.simulate;
