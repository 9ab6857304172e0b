/**
 * What an open transaction on a reservation holds, and when it ends by itself. It follows from the
 * reservation's record, as its other bookings do.
 */
package io.millrace.server.core.reservation.held;
