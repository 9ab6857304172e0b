/**
 * The jobs of a run: submitted, held, moved and deleted as users would, and followed to their end.
 *
 * <p>In: plans, and where a scenario wants its jobs. Out: calls of the ordinary client, notes of
 * what it said, and the progress of the jobs.
 *
 * <p>Invariant: a job is submitted again only when the client reached nobody, so that a job that
 * exists twice was duplicated by the system.
 */
package io.millrace.ops.faults.load;
