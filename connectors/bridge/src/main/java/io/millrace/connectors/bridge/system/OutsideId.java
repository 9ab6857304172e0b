package io.millrace.connectors.bridge.system;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number that an outside system gave to a job. Numbers are used again, so that one means
 * something only together with account and time of submission.
 *
 * @param number of the job
 * @param task index in an array; 0 for a job that is none
 */
public record OutsideId(long number, long task) implements Comparable<OutsideId> {

  private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(?:\\.([0-9]{1,9}))?");

  public static OutsideId of(long number) {
    return new OutsideId(number, 0);
  }

  /** Reads what {@link #toString} has written; empty for any other text. */
  public static Optional<OutsideId> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new OutsideId(
                Long.parseLong(form.group(1)),
                form.group(2) == null ? 0 : Long.parseLong(form.group(2))))
        : Optional.empty();
  }

  @Override
  public int compareTo(OutsideId other) {
    int byNumber = Long.compare(number, other.number);
    return byNumber != 0 ? byNumber : Long.compare(task, other.task);
  }

  @Override
  public String toString() {
    return task == 0 ? Long.toString(number) : number + "." + task;
  }
}
