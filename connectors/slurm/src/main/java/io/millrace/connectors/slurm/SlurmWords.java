package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Submitted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Slurm's commands say about what they did. Only words of which it is known that the
 * controller has looked at the order and does not want it are a refusal; all others leave it open.
 */
final class SlurmWords {

  /** With the end of its line: a number that breaks off is that of another job. */
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,10})(?:;[A-Za-z0-9_.-]{1,80})?\n");

  /** The order has not come to where it is decided, or its answer has not come back. */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "(?i)contact|connect|communicat|socket|timed out|credential|authenticat|munge|protocol"
              + "|zero bytes|temporarily|try again|slurm_load|unable to process configuration");

  /** Paths and addresses are ours or a user's, and have any words. */
  private static final Pattern PATHS = Pattern.compile("\\S*/\\S*");

  /** {@code MaxSubmitJobs} of an account; a size that is forbidden is said in the same words. */
  private static final Pattern LIMIT = Pattern.compile("job submit limit");

  /** {@code MaxJobCount}: sbatch tries for two minutes, and is ended by our time limit before. */
  private static final Pattern FULL =
      Pattern.compile("(queue full|temporarily unable to accept job), sleeping and retrying");

  private static final Pattern NO =
      Pattern.compile(
          "(?i)submission failed: .*(invalid|not permitted|not available|violates|denied|more "
              + "processors|exceed|limit|disabled|not supported)"
              + "|invalid --?[a-z-]+ specification|invalid [a-z-]+ specified");

  private static final Pattern GONE =
      Pattern.compile("(?i)invalid job id|already finished|job/step already completing");

  private SlurmWords() {}

  static Submitted submitted(OutsideAnswer answer) {
    if (answer.ending() == OutsideAnswer.ProcessEnding.NOT_STARTED) {
      return new Submitted.NotSent(answer.trouble());
    }
    if (!answer.isWhole()) {
      return unclear(answer);
    }
    if (answer.status() == 0) {
      Matcher number = NUMBER.matcher(answer.out());
      return number.matches()
          ? new Submitted.Accepted(OutsideId.of(Long.parseLong(number.group(1))))
          : new Submitted.SubmissionUnclear("sbatch: no number in its answer");
    }
    if (SudoWords.refusedWords(answer) || answer.err().startsWith(SlurmRest.NO_REQUEST)) {
      return new Submitted.SubmissionRefused(answer.complaint().strip());
    }
    if (SudoWords.refused(answer) || answer.err().startsWith(SlurmRest.NO_TOKEN)) {
      return new Submitted.AccountRefused(answer.trouble());
    }
    String words = words(answer);
    if (LIMIT.matcher(words).find()) {
      return new Submitted.LimitReached(answer.trouble());
    }
    if (!TROUBLE.matcher(words).find() && NO.matcher(words).find()) {
      return new Submitted.SubmissionRefused(answer.complaint().strip());
    }
    return unclear(answer);
  }

  private static Submitted unclear(OutsideAnswer answer) {
    boolean full = FULL.matcher(answer.complaint()).find();
    String why = full ? answer.complaint().lines().findFirst().orElse("") : answer.trouble();
    return new Submitted.SubmissionUnclear("sbatch: " + why, full);
  }

  private static String words(OutsideAnswer answer) {
    return PATHS.matcher(answer.complaint()).replaceAll("");
  }

  private static boolean isUnsent(OutsideAnswer answer) {
    return answer.err().startsWith(SlurmRest.NO_TOKEN)
        || answer.err().startsWith(SlurmRest.NO_REQUEST);
  }

  static Controlled controlled(OutsideAnswer answer) {
    String said = answer.said();
    if (!answer.isWhole() || !isUnsent(answer) && TROUBLE.matcher(words(answer)).find()) {
      return new Controlled.ControlUnclear(answer.trouble());
    }
    if (GONE.matcher(answer.complaint()).find()) {
      return new Controlled.OutsideJobGone(said);
    }
    return answer.status() == 0 ? new Controlled.Done(said) : new Controlled.ControlRefused(said);
  }
}
