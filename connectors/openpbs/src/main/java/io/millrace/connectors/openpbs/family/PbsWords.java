package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Submitted;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What commands of the PBS family say about what they did. Only words of which it is known that the
 * server has looked at the order, or that nothing was sent, are a refusal; all others leave it
 * open.
 *
 * @param refused the server has looked at a submission, and does not want it
 * @param gone the job is over, or was never there
 */
public record PbsWords(Pattern refused, Pattern gone) {

  /** The order has not come to the server, or its answer has not come back. */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "(?i)connect|communicat|protocol|time.?out|timed out|end of file|premature|busy"
              + "|credential|pbs_iff|trqauthd|munge|authenticat|no free|internal (server )?error"
              + "|server internal|system error|shutting down");

  /** The settings {@code max_queuable} and {@code max_queued}. */
  private static final Pattern LIMIT =
      Pattern.compile(
          "(?im)^qsub: (?:submit error \\()?(?:maximum number of jobs\\b.*\\balready in"
              + "|would exceed .*\\blimit\\s*$)");

  /** What became of a submission to a server. */
  public Submitted submitted(OutsideAnswer answer, String server) {
    if (answer.ending() == OutsideAnswer.ProcessEnding.NOT_STARTED) {
      return new Submitted.NotSent(answer.trouble());
    }
    if (!answer.isWhole()) {
      return new Submitted.SubmissionUnclear("qsub: " + answer.trouble());
    }
    if (answer.status() == 0) {
      Optional<OutsideId> id = PbsUnits.id(answer.out().strip(), server);
      return id.isPresent()
          ? new Submitted.Accepted(id.get())
          : new Submitted.SubmissionUnclear(
              "qsub: no number of a job of " + server + " in its answer");
    }
    if (SudoWords.refusedWords(answer)) {
      return new Submitted.SubmissionRefused(answer.complaint().strip());
    }
    if (SudoWords.refused(answer)) {
      return new Submitted.AccountRefused(answer.trouble());
    }
    String said = answer.complaint();
    if (!TROUBLE.matcher(said).find() && LIMIT.matcher(said).find()) {
      return new Submitted.LimitReached(answer.trouble());
    }
    if (!TROUBLE.matcher(said).find() && refused.matcher(said).find()) {
      return new Submitted.SubmissionRefused(said.strip());
    }
    return new Submitted.SubmissionUnclear("qsub: " + answer.trouble());
  }

  /**
   * Whether a question for one job says that there is none of this number, or that it is over and
   * no more is shown of it.
   */
  static boolean isUnknown(OutsideAnswer answer, String number) {
    String name = Pattern.quote(number);
    Pattern none =
        Pattern.compile(
            "(?im)^qstat: (Unknown Job Id( Error)? "
                + name
                + "|"
                + name
                + " Job has finished\\b.*)$");
    return answer.isWhole() && answer.status() != 0 && none.matcher(answer.complaint()).find();
  }

  /** What became of an order about a job. */
  public Controlled controlled(OutsideAnswer answer) {
    String said = answer.said();
    if (!answer.isWhole() || TROUBLE.matcher(answer.complaint()).find()) {
      return new Controlled.ControlUnclear(answer.trouble());
    }
    if (gone.matcher(answer.complaint()).find()) {
      return new Controlled.OutsideJobGone(said);
    }
    return answer.status() == 0 ? new Controlled.Done(said) : new Controlled.ControlRefused(said);
  }
}
