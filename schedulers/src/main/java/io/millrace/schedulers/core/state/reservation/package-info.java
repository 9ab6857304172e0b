/**
 * The advance reservations of a scheduler's shard: what each has, and what it waits for.
 *
 * <p>In: the records of reservations, as facts carry them, and what cycles decide. Out: which
 * reservations a cycle has to decide on, in the order of their numbers.
 *
 * <p>Invariant: a reservation is kept as long as it has not ended; its full list of shares is kept
 * only while a decision needs it.
 */
package io.millrace.schedulers.core.state.reservation;
