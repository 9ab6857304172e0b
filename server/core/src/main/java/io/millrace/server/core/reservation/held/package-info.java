/** When an open transaction on a reservation ends by itself. */
package io.millrace.server.core.reservation.held;
