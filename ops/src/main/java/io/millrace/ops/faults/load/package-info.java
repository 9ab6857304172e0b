/**
 * The jobs of a run: submitted, held, moved and deleted as users would, and followed to their end.
 *
 * <p>In: plans, and where a scenario wants its jobs. Out: calls of the ordinary client, notes of
 * what it said, and how far the jobs have come.
 *
 * <p>Invariant: a job is submitted again only when the client reached nobody, so that a job that is
 * there twice was made twice by the system.
 */
package io.millrace.ops.faults.load;
