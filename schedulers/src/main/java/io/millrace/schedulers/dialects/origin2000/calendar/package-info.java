/**
 * Prime time of the Origin2000 dialect.
 *
 * <p>Comes in: start and end, the zone of the host and the file of holidays. Goes out: whether a
 * time lies in prime time, and how much of a span does. Invariant: all of it follows the clock on
 * the wall, through weekends, leap years and clock changes.
 */
package io.millrace.schedulers.dialects.origin2000.calendar;
