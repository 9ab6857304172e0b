package io.millrace.server.accounting;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lines say of a job that was ended because its wish to wait for another one was refused: as
 * PBS, the reply that its server gave to itself. Everybody else is told in words.
 */
final class DependencyReply {

  private static final Pattern REFUSED =
      Pattern.compile("Dependency request for job rejected by \\S+ (.+?) ?");

  private static final String UNKNOWN_JOB = "Unknown Job Id";

  /** PBS's codes of the reasons that there are. */
  private static final Map<String, Integer> CODES =
      Map.of(
          UNKNOWN_JOB,
          15001,
          "Unauthorized Request",
          15007,
          "Invalid Job Dependency",
          15054,
          "Job has finished",
          15139);

  private DependencyReply() {}

  /**
   * The reply that a reason for an end means, or the reason itself where it means none.
   *
   * @param address of the job's owner, user@host
   */
  static String of(String why, String address) {
    Matcher refused = REFUSED.matcher(why);
    if (!refused.matches() || !CODES.containsKey(refused.group(1))) {
      return why;
    }
    String reason = refused.group(1);
    // The server asks whether there is such a job, and nobody's name is with it.
    String from = reason.equals(UNKNOWN_JOB) ? address.replaceFirst("^[^@]*", "") : address;
    return "Reject reply code="
        + CODES.get(reason)
        + ", aux=0, type=52, from "
        + from
        + " "
        + reason;
  }
}
