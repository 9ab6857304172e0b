/**
 * Prime time and dedicated time: the files {@code holidays} and {@code dedicated_time}, and when
 * jobs of which queues may run by them.
 *
 * <p>In: the texts of the files, prefixes of queues, a time zone. Out: {@link
 * io.millrace.schedulers.dialects.schedconfig.calendar.SiteCalendar}, which answers for any moment.
 *
 * <p>Invariant: answers depend on the arguments only; between two moments of {@code nextChangeMs}
 * the same queues may run.
 */
package io.millrace.schedulers.dialects.schedconfig.calendar;
