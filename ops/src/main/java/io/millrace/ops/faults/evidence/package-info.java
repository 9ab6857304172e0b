/**
 * What is known of the jobs of a run: what was asked for, what they wrote, what the ledger tells.
 *
 * <p>In: plans that follow from a seed, answers of clients, committed records of the ledger. Out:
 * the same, by job.
 *
 * <p>Invariant: nothing is judged here, and a line or a record that is not understood is kept as it
 * is.
 */
package io.millrace.ops.faults.evidence;
