package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Submitted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Grid Engine's commands say about what they did. Only words of which it is known that qmaster
 * has looked at the order and does not want it are a refusal; all others leave it open.
 */
final class SgeWords {

  /** With the end of its line: a number that breaks off is that of another job. */
  private static final Pattern NUMBER =
      Pattern.compile("(?m)^([0-9]{1,10})(?:\\.[0-9]+-[0-9]+:[0-9]+)?\n");

  /** The order has not come to qmaster, or its answer has not come back. */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "(?i)commlib|unable to (contact|send|initialize)|error reading answer|got no|time.?out"
              + "|can't connect|cell directory|sge_root|communication|jsv|no response"
              + "|got max\\. alive|cannot connect|is not running|permission to access");

  /** The settings {@code max_u_jobs} and {@code max_jobs}. */
  private static final Pattern LIMIT =
      Pattern.compile("(?i)only [0-9]+ jobs are allowed per (user|cluster)");

  private static final Pattern NO =
      Pattern.compile("(?m)^Unable to run job: .+|^qsub: .+|^job rejected: .+|^denied: .+");

  private static final Pattern GONE =
      Pattern.compile("job \"[0-9.]+\" does not exist|invalid queue or job");

  private SgeWords() {}

  static Submitted submitted(OutsideAnswer answer) {
    if (answer.ending() == OutsideAnswer.ProcessEnding.NOT_STARTED) {
      return new Submitted.NotSent(answer.trouble());
    }
    if (!answer.isWhole()) {
      return new Submitted.SubmissionUnclear("qsub: " + answer.trouble());
    }
    if (answer.status() == 0) {
      Matcher number = NUMBER.matcher(answer.out());
      return number.find()
          ? new Submitted.Accepted(OutsideId.of(Long.parseLong(number.group(1))))
          : new Submitted.SubmissionUnclear("qsub: no number in its answer");
    }
    String said = answer.said();
    if (SudoWords.refusedWords(answer)) {
      return new Submitted.SubmissionRefused(answer.complaint().strip());
    }
    if (SudoWords.refused(answer)) {
      return new Submitted.AccountRefused(answer.trouble());
    }
    if (!TROUBLE.matcher(said).find() && LIMIT.matcher(said).find()) {
      return new Submitted.LimitReached(answer.trouble());
    }
    if (!TROUBLE.matcher(said).find() && NO.matcher(said).find()) {
      return new Submitted.SubmissionRefused(said);
    }
    return new Submitted.SubmissionUnclear("qsub: " + answer.trouble());
  }

  /** The queue of a reservation can come a moment later than its first job. */
  static Submitted inReservation(Submitted answer) {
    return answer instanceof Submitted.SubmissionRefused refused
            && refused.words().contains("requests unknown queue")
        ? new Submitted.NotYet("the queue of its reservation is not there yet")
        : answer;
  }

  static Controlled controlled(OutsideAnswer answer) {
    String said = answer.said();
    if (!answer.isWhole() || TROUBLE.matcher(said).find()) {
      return new Controlled.ControlUnclear(answer.trouble());
    }
    if (GONE.matcher(said).find()) {
      return new Controlled.OutsideJobGone(said);
    }
    return answer.status() == 0 ? new Controlled.Done(said) : new Controlled.ControlRefused(said);
  }
}
