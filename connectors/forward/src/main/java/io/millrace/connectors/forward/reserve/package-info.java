/**
 * Follows the present reservations for a cluster with mode = reserve.
 *
 * <p>In: the compacted topic of reservations. Out: calls of the cluster's {@code
 * OutsideReservations}.
 *
 * <p>Invariant: nothing is done in the cluster before all reservations of the topic are known.
 */
package io.millrace.connectors.forward.reserve;
