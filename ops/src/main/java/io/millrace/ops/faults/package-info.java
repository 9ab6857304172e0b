/**
 * {@code ./millrace faults}: a system whose processes are killed while it carries jobs, and the
 * verdict on what it did to them.
 *
 * <p>In: numbers of jobs and kills, a seed, perhaps a fault to inject. Out: how many jobs were
 * lost, how many were carried out twice, and what else cannot be explained.
 *
 * <p>Invariant: the verdict rests on what the clients were told, on the file that the jobs
 * themselves wrote and on the ledger as any consumer reads it, never on what a part of the system
 * says of itself.
 */
package io.millrace.ops.faults;
