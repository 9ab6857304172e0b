package io.millrace.server.gateway.reservation;

import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.server.gateway.operand.JobIds;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reservations as users write them: {@code R7}, {@code R7.server}, {@code R7@server}. A number
 * alone has PBS's form, too, and is the name of none.
 */
public final class ReservationNames {

  private static final Pattern FORM = Pattern.compile("([RSM]?\\d{1,12})(?:\\.([^@]+))?(?:@(.+))?");

  private static final String WHOLE = "W";

  private ReservationNames() {}

  /** The full name, {@code R7.server}; nothing for what has not the form of one. */
  static Optional<String> parse(String text, String server) {
    Matcher match = FORM.matcher(text);
    boolean named =
        match.matches()
            && JobIds.names(match.group(2), server)
            && JobIds.names(match.group(3), server);
    return named ? Optional.of(match.group(1) + "." + server) : Optional.empty();
  }

  /** As {@link #parse}, and nothing either for a number alone, which is the name of a job. */
  public static Optional<String> ofReservation(String text, String server) {
    return parse(text, server).filter(it -> number(it) >= 0);
  }

  /** The full name of one that has parts, {@code W7.server}; nothing for all else. */
  public static Optional<String> ofWhole(String text, String server) {
    if (!text.startsWith(WHOLE)) {
      return Optional.empty();
    }
    return parse("R" + text.substring(1), server)
        .map(it -> WHOLE + it.substring(1))
        .filter(it -> ReservationIds.wholeNumber(it) >= 0);
  }

  /** The number in a full name; -1 when no reservation can have this name. */
  static long number(String id) {
    return ReservationIds.number(id);
  }
}
