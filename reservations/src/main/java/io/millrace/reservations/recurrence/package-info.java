/**
 * When a standing reservation falls: recurrence rules as iCalendar has them (RFC 5545).
 *
 * <p>In: the text of a rule, the first start, the length of each occurrence and the time zone in
 * which the rule is meant. Out: the starts of all occurrences, in rising order, or why there are
 * none. A library reads the rule and counts in local time; what a local time is in the zone is
 * decided here.
 *
 * <p>A local time that a change of clocks leaves out comes later by the length of the gap; one that
 * comes twice is meant the first time. Two occurrences that fall together thereby are one.
 *
 * <p>Invariant: a rule has at most {@link
 * io.millrace.reservations.recurrence.RecurrenceRule#OCCURRENCES_MAX} occurrences, none of them
 * reaches into the next one, and the work that a rule costs is bounded by this number.
 */
package io.millrace.reservations.recurrence;
