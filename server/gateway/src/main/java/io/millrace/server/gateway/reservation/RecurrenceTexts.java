package io.millrace.server.gateway.reservation;

import io.millrace.reservations.recurrence.RecurrenceException;
import io.millrace.reservations.recurrence.RecurrenceFault;
import io.millrace.reservations.recurrence.RecurrenceRule;
import io.millrace.schemas.pbs.PbsError;

/** What PBS says of a recurrence rule that it does not take. */
final class RecurrenceTexts {

  static final int CHARS_MAX = RecurrenceRule.CHARS_MAX;

  private RecurrenceTexts() {}

  /**
   * Why nothing can be reserved by a rule; null when something can.
   *
   * @param zone name of the time zone
   */
  static PbsError refusal(String rule, String zone, long startMs, long durationMs) {
    try {
      RecurrenceRule.parse(rule).starts(startMs, durationMs, RecurrenceRule.zone(zone));
      return null;
    } catch (RecurrenceException e) {
      return error(e.fault());
    }
  }

  private static PbsError error(RecurrenceFault fault) {
    return switch (fault) {
      case SYNTAX -> PbsError.BAD_RULE;
      case UNBOUNDED -> PbsError.RULE_UNBOUNDED;
      case ZONE -> PbsError.BAD_ZONE;
      case NEVER, TOO_OFTEN, OVERLAP -> PbsError.BAD_TIMES;
      case YEARLY -> PbsError.RULE_YEARLY;
      case MONTHLY -> PbsError.RULE_MONTHLY;
      case WEEKLY -> PbsError.RULE_WEEKLY;
      case DAILY -> PbsError.RULE_DAILY;
      case HOURLY -> PbsError.RULE_HOURLY;
      case MINUTELY -> PbsError.RULE_MINUTELY;
      case SECONDLY -> PbsError.RULE_SECONDLY;
    };
  }
}
