/**
 * Free and used amounts over future time, on which every search for a future start is based.
 *
 * <p>In: debits, each an amount from one time to another, of one container ({@link
 * io.millrace.reservations.timeline.Container}) or of all that a job's slots use ({@link
 * io.millrace.reservations.timeline.Timeline}: cluster, hosts, queue instances, parallel
 * environments). Out: the most that is in use in a window, the slots that are available then, and
 * the earliest time from which a sequential or a parallel request fits.
 *
 * <p>Times are whole numbers of a unit that the caller picks and keeps: the cycle of the PBS side
 * uses milliseconds since 1970, the Grid Engine dialect seconds. An interval holds its beginning
 * and not its end, so that one use may end in the instant in which the next begins. {@link
 * io.millrace.reservations.timeline.UsageProfile#FOREVER} as an end means that the end is unknown.
 *
 * <p>Invariant: a profile is the sum of its debits, in whichever order they came; releasing what
 * was debited leaves it as before.
 */
package io.millrace.reservations.timeline;
