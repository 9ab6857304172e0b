/**
 * From when to when something is reserved.
 *
 * <p>In: a start, an end and a duration, of which a user gives some. Out: the window that they mean
 * together, or nothing when they contradict each other or lie in the past.
 *
 * <p>Invariant: a window has an end behind its start. No clock is read; now is an argument.
 */
package io.millrace.reservations.window;
