package io.millrace.connectors.bridge.system;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark by which a run is found again in an outside system: {@code mr.CLUSTER.JOB.RUN.HOME}; for
 * the job of a campaign also which attempt at which task it is: {@code
 * mr.CLUSTER.JOB.RUN.CAMPAIGN.TASK.ATTEMPT.HOME}. A new home, and one that was restored, give
 * numbers of jobs again; what has another mark of the home is never theirs.
 *
 * @param cluster id of the cluster as its file says
 * @param job number of the job, with the index of a subjob behind a hyphen
 * @param run number of the run
 * @param attempt campaign, task and attempt with dots between, as the job's record has them; of a
 *     prologue or an epilogue the letter p or e and a number stand for the task; empty for a job of
 *     no campaign
 * @param home a letter and five letters or digits by which the home that has ordered the run is
 *     told from others; empty where nobody has said it
 */
public record OutsideTag(String cluster, String job, int run, String attempt, String home) {

  private static final Pattern FORM =
      Pattern.compile(
          "mr\\.([a-z][a-z0-9-]{0,14})\\.([0-9]{1,18}(?:-[0-9]{1,9})?)\\.([0-9]{1,9})"
              + "(?:\\.([0-9]{1,18}\\.[pe]?[0-9]{1,9}\\.[0-9]{1,9}))?"
              + "(?:\\.([a-z][a-z0-9]{5}))?");

  public OutsideTag {
    String text = text(cluster, job, run, attempt, home);
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("no tag: " + text);
    }
  }

  /** The mark of a run of whichever home, whose job is of no campaign, or of an array. */
  public OutsideTag(String cluster, String job, int run) {
    this(cluster, job, run, "");
  }

  /** The mark of a run of whichever home. */
  public OutsideTag(String cluster, String job, int run, String attempt) {
    this(cluster, job, run, attempt, "");
  }

  /** The same of a home. */
  public OutsideTag of(String other) {
    return new OutsideTag(cluster, job, run, attempt, other);
  }

  private static String text(String cluster, String job, int run, String attempt, String home) {
    return "mr."
        + cluster
        + "."
        + job
        + "."
        + run
        + (attempt.isEmpty() ? "" : "." + attempt)
        + (home.isEmpty() ? "" : "." + home);
  }

  /** Reads a tag; empty for any other text. */
  public static Optional<OutsideTag> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new OutsideTag(
                form.group(1),
                form.group(2),
                Integer.parseInt(form.group(3)),
                form.group(4) == null ? "" : form.group(4),
                form.group(5) == null ? "" : form.group(5)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return text(cluster, job, run, attempt, home);
  }
}
