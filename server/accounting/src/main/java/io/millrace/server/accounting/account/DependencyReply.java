package io.millrace.server.accounting.account;

import io.millrace.schemas.pbs.PbsError;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What lines say of a job that was ended because its wish to wait for another one was refused: as
 * PBS, the reply that its server gave to itself. Everybody else is told in words.
 */
final class DependencyReply {

  private static final Pattern REFUSED =
      Pattern.compile("Dependency request for job rejected by \\S+ (.+?) ?");

  /** The reasons that there are, by their texts. */
  private static final Map<String, PbsError> REASONS =
      Stream.of(
              PbsError.UNKNOWN_JOB,
              PbsError.UNAUTHORIZED,
              PbsError.BAD_DEPENDENCY,
              PbsError.JOB_FINISHED)
          .collect(Collectors.toMap(error -> error.text().strip(), error -> error));

  private DependencyReply() {}

  /**
   * The reply that a reason for an end means, or the reason itself where it means none.
   *
   * @param address of the job's owner, user@host
   */
  static String of(String why, String address) {
    Matcher refused = REFUSED.matcher(why);
    if (!refused.matches() || !REASONS.containsKey(refused.group(1))) {
      return why;
    }
    PbsError reason = REASONS.get(refused.group(1));
    // The server asks whether there is such a job, and nobody's name is with it.
    String from = reason == PbsError.UNKNOWN_JOB ? address.replaceFirst("^[^@]*", "") : address;
    return "Reject reply code="
        + reason.code()
        + ", aux=0, type=52, from "
        + from
        + " "
        + reason.text().strip();
  }
}
