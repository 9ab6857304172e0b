package io.millrace.connectors.bridge.system;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark by which a run is found again in an outside system: {@code mr.CLUSTER.JOB.RUN}.
 *
 * @param cluster id of the cluster as its file says
 * @param job number of the job, with the index of a subjob behind a hyphen
 * @param run number of the run
 */
public record OutsideTag(String cluster, String job, int run) {

  private static final Pattern FORM =
      Pattern.compile("mr\\.([a-z][a-z0-9-]{0,14})\\.([0-9]{1,18}(?:-[0-9]{1,9})?)\\.([0-9]{1,9})");

  public OutsideTag {
    if (!FORM.matcher("mr." + cluster + "." + job + "." + run).matches()) {
      throw new IllegalArgumentException("no tag: " + cluster + " " + job + " " + run);
    }
  }

  /** Reads a tag; empty for any other text. */
  public static Optional<OutsideTag> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new OutsideTag(form.group(1), form.group(2), Integer.parseInt(form.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "mr." + cluster + "." + job + "." + run;
  }
}
