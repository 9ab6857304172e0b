/**
 * Prime time and dedicated time: the files {@code holidays} and {@code dedicated_time}.
 *
 * <p>In: the texts of the files. Out: {@link
 * io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours} and {@link
 * io.millrace.schemas.pbs.schedconfig.calendar.DedicatedTimes}, which answer for any moment in a
 * time zone.
 *
 * <p>Invariant: answers depend on the arguments only.
 */
package io.millrace.schemas.pbs.schedconfig.calendar;
