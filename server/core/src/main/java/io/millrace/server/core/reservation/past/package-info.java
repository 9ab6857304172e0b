/**
 * Subject reservation.past: what is kept of reservations that have ended.
 *
 * <p>In: the end of a reservation, the time at which its history is over, and who wants it
 * forgotten before. Out: ReservationForgotten.
 *
 * <p>Invariant: nothing that is kept here holds a node, and no more than a fixed number is kept.
 */
package io.millrace.server.core.reservation.past;
