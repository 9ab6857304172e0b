package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What PBS's commands say about what they did. Only words of which it is known that the server has
 * looked at the order, or that nothing was sent, are a refusal; all others leave it open.
 */
final class PbsWords {

  /** The order has not come to the server, or its answer has not come back. */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "(?i)connect|communication|protocol|time.?out|timed out|end of file|premature|busy"
              + "|credential|pbs_iff|authenticat|no free|internal server error|system error");

  private static final Pattern NO =
      Pattern.compile(
          "(?im)^qsub: (illegal|unknown|unauthorized request|job violates|would exceed|.* exceeds "
              + "|queue is not enabled|bad uid|node\\(s\\) specification|invalid option"
              + "|access to queue is denied|no default queue|maximum number of jobs|request rejected|.*limit)");

  private static final Pattern GONE = Pattern.compile("(?i)unknown job id|job has finished");

  private PbsWords() {}

  static Submitted submitted(OutsideAnswer answer, String server) {
    if (answer.ending() == OutsideAnswer.Ending.NOT_STARTED) {
      return new Submitted.NotSent(answer.trouble());
    }
    if (!answer.isWhole()) {
      return new Submitted.Unclear("qsub: " + answer.trouble());
    }
    if (answer.status() == 0) {
      Optional<OutsideId> id = PbsUnits.id(answer.out().strip(), server);
      return id.isPresent()
          ? new Submitted.Accepted(id.get())
          : new Submitted.Unclear("qsub: no number of a job of " + server + " in its answer");
    }
    if (answer.out().isEmpty() && answer.err().startsWith("sudo: ")) {
      return new Submitted.NotSent(answer.trouble());
    }
    String said = answer.complaint();
    if (!TROUBLE.matcher(said).find() && NO.matcher(said).find()) {
      return new Submitted.Refused(said.strip());
    }
    return new Submitted.Unclear("qsub: " + answer.trouble());
  }

  static Controlled controlled(OutsideAnswer answer) {
    String said = answer.said();
    if (!answer.isWhole() || TROUBLE.matcher(answer.complaint()).find()) {
      return new Controlled.Unclear(answer.trouble());
    }
    if (GONE.matcher(answer.complaint()).find()) {
      return new Controlled.Gone(said);
    }
    return answer.status() == 0 ? new Controlled.Done(said) : new Controlled.Refused(said);
  }
}
