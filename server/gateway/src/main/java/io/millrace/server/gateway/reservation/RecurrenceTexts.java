package io.millrace.server.gateway.reservation;

import io.millrace.reservations.recurrence.RecurrenceException;
import io.millrace.reservations.recurrence.RecurrenceFault;
import io.millrace.reservations.recurrence.RecurrenceRule;
import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.util.List;

/** What PBS says of a recurrence rule that it does not take. */
final class RecurrenceTexts {

  static final int CHARS_MAX = RecurrenceRule.CHARS_MAX;

  private RecurrenceTexts() {}

  /**
   * When the occurrences begin, milliseconds since 1970, rising.
   *
   * @param zone name of the time zone
   * @throws Failure when nothing can be reserved by the rule
   */
  static List<Long> starts(Call call, String rule, String zone, ReservedTime first) throws Failure {
    try {
      RecurrenceRule parsed = RecurrenceRule.parse(rule);
      return parsed.starts(first.startMs(), first.durationMs(), RecurrenceRule.zone(zone));
    } catch (RecurrenceException e) {
      if (e.fault() == RecurrenceFault.TOO_OFTEN) {
        String bound = ": at most " + RecurrenceRule.OCCURRENCES_MAX + " occurrences";
        throw call.failure(PbsError.BAD_TIMES.text(bound), PbsError.BAD_TIMES.exitStatus());
      }
      throw call.failure(error(e.fault()));
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
