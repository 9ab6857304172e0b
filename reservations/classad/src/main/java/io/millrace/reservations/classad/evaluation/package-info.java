/**
 * Evaluates ClassAds.
 *
 * <p>In: an expression, the record it stands in, and the surroundings: the time, the place, the
 * source of random numbers, names that the caller gives, and bounds. Out: a value; undefined and
 * error are values too.
 *
 * <p>Invariant: no clock and nothing of the outside is read. An evaluation ends within its bounds
 * of work, depth and length of strings, or with {@link
 * io.millrace.reservations.classad.evaluation.BoundExceeded}.
 */
package io.millrace.reservations.classad.evaluation;
