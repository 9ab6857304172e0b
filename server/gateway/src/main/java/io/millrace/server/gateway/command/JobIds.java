package io.millrace.server.gateway.command;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Job identifiers as users write them: {@code 12}, {@code 12.server}, {@code 12.server@server}. */
final class JobIds {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,12})(\\[\\d*\\])?(?:\\.([^@]+))?(?:@(.+))?");

  /**
   * @param number number of the job; -1 for a part of a job array, of which there are none
   * @param id the full id, for messages
   */
  record JobId(long number, String id) {}

  private JobIds() {}

  /** Whether PBS would take the text for a job identifier rather than a destination. */
  static boolean looksLikeJob(String text) {
    return !text.isEmpty() && Character.isDigit(text.charAt(0));
  }

  /** The identifier, or nothing when it is illegally formed or names another server. */
  static Optional<JobId> parse(String text, String server) {
    Matcher match = FORM.matcher(text);
    if (!match.matches() || !names(match.group(3), server) || !names(match.group(4), server)) {
      return Optional.empty();
    }
    boolean array = match.group(2) != null;
    String id = match.group(1).replaceFirst("^0+(?=\\d)", "") + (array ? match.group(2) : "");
    return Optional.of(new JobId(array ? -1 : Long.parseLong(match.group(1)), id + "." + server));
  }

  static boolean names(String given, String server) {
    return given == null || given.equalsIgnoreCase(server) || given.equals("default");
  }
}
