/**
 * Subject reservation.transaction: changes of reservations that are held until they are settled.
 *
 * <p>In: a commit or an abort, and the time at which an open transaction ends by itself. Out:
 * ReservationSettled, with the whole record as it is then.
 *
 * <p>Invariant: while a transaction is open, what the reservation is and what it is to be are both
 * held; what a commit makes of it has room.
 */
package io.millrace.server.core.reservation.transaction;
