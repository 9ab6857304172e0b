/**
 * Used amounts over future time: what every look into the future is computed from.
 *
 * <p>In: debits, each an amount from one time to another. Out: the amount in use at a time, the
 * most in a window, and the earliest time from which an amount stays free for a duration.
 *
 * <p>Times are whole numbers of a unit that the caller picks and keeps: the cycle of the PBS side
 * uses milliseconds since 1970, the Grid Engine dialect seconds. An interval holds its beginning
 * and not its end, so that one use may end in the instant in which the next begins. {@link
 * io.millrace.reservations.timeline.UsageProfile#FOREVER} as an end means that nobody knows one.
 *
 * <p>Invariant: a profile is the sum of its debits, in whichever order they came; releasing what
 * was debited leaves it as before.
 */
package io.millrace.reservations.timeline;
