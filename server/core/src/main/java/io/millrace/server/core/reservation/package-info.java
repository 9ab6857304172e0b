/**
 * Subject reservation: nodes that are reserved for a time to come.
 *
 * <p>In: SubmitReservation, ReserveRun, AlterReservation and DeleteReservation of users;
 * ConfirmReservation and DenyReservation of the engine of the partition's scheduler; the times at
 * which a window begins and ends and at which somebody wants an answer; nodes that go and come
 * back. Out: a fact for each change, with the whole record as it is then.
 *
 * <p>Invariant: what is booked of a node and what runs there without being in a reservation is at
 * no time more than the node has. Bookings and timers follow from the record, and change with it
 * and with nothing else.
 */
package io.millrace.server.core.reservation;
