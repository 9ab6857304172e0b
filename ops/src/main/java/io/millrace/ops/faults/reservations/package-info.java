/**
 * {@code ./millrace faults --reservations}: two installations whose parts are killed while nodes
 * are reserved in one, in several partitions and in both, and the verdict on what became of it.
 *
 * <p>In: numbers of transactions and kills, a seed, perhaps a fault to plant. Out: what stays held,
 * what is booked twice, what is there by half, which answers were not true, and which jobs were to
 * run into what others have booked.
 *
 * <p>Invariant: the verdict is based on the answers that clients got and on both ledgers as any
 * consumer reads them.
 */
package io.millrace.ops.faults.reservations;
