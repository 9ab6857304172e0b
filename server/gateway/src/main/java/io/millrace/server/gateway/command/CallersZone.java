package io.millrace.server.gateway.command;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the time zone of a caller. */
final class CallersZone {
  /** Variable by which a client of another host tells its zone, as Java names it. */
  static final String VARIABLE = "MILLRACE_CLIENT_ZONE";

  /** POSIX's form without summer time: a name, and the hours west of Greenwich. */
  private static final Pattern FIXED =
      Pattern.compile("(?:[A-Za-z]{3,}|<[-+A-Za-z0-9]{3,}>)([+-]?)(\\d{1,2})(?::(\\d{2}))?");

  private static final Pattern FOLDER = Pattern.compile("^:?(?:/usr/share/zoneinfo/)?(?:posix/)?");

  private CallersZone() {}

  /**
   * The zone that the client of another host tells, or that of the variable TZ.
   *
   * @return empty where neither names one that is known here
   */
  static Optional<ZoneId> of(Map<String, String> environment) {
    String told = environment.get(VARIABLE);
    try {
      return Optional.of(
          told == null ? posix(environment.getOrDefault("TZ", "")) : ZoneId.of(told));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static ZoneId posix(String text) {
    String name = FOLDER.matcher(text).replaceFirst("");
    Matcher fixed = FIXED.matcher(name);
    return fixed.matches() ? offset(fixed) : ZoneId.of(name);
  }

  private static ZoneId offset(Matcher fixed) {
    int sign = fixed.group(1).equals("-") ? 1 : -1;
    int minutes = fixed.group(3) == null ? 0 : Integer.parseInt(fixed.group(3));
    return ZoneOffset.ofHoursMinutes(sign * Integer.parseInt(fixed.group(2)), sign * minutes);
  }
}
