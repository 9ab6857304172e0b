package io.millrace.reservations.recurrence;

/** What is wrong with a rule. */
public enum RecurrenceFault {
  /** The text is no recurrence rule. */
  SYNTAX,
  /** It has neither an end nor a number of occurrences, or both. */
  UNBOUNDED,
  /** The time zone is not known. */
  ZONE,
  /** It never falls. */
  NEVER,
  /** It falls more often than is allowed. */
  TOO_OFTEN,
  /** An occurrence reaches into the next one. */
  OVERLAP,
  /** An occurrence is longer than a year, month, week and so on, as the rule's frequency is. */
  YEARLY,
  MONTHLY,
  WEEKLY,
  DAILY,
  HOURLY,
  MINUTELY,
  SECONDLY
}
