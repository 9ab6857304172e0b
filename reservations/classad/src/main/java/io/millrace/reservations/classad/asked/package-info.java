/**
 * A {@code reservable.ad} in force: what of records it is told, and what it says to the nodes of a
 * reservation.
 *
 * <p>In: the cluster objects that carry a text, records of nodes and of reservations. Out: for each
 * node that a reservation would take, nothing, or why it may not. The scheduler that proposes
 * nodes, the shard that checks them and the commands that look ahead ask through this package, so
 * that they mean the same.
 *
 * <p>Invariant: an answer depends on what is given here alone, never on a clock or on the order of
 * earlier questions, but for the nodes that the reservation has been given already.
 */
package io.millrace.reservations.classad.asked;
