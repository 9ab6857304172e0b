/**
 * {@code ./millrace faults}: a system whose processes are killed while it carries jobs, and the
 * verdict on what it did to them.
 *
 * <p>In: numbers of jobs and kills, a seed, perhaps a fault to inject. Out: how many jobs were
 * lost, how many were carried out twice, and what else cannot be explained.
 *
 * <p>Invariant: the verdict is based on the answers that clients got, on the file that the jobs
 * wrote and on the ledger as any consumer reads it, never on what a part of the system reports
 * about itself.
 */
package io.millrace.ops.faults;
