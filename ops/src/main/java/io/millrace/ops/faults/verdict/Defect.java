package io.millrace.ops.faults.verdict;

/**
 * Something that must not be.
 *
 * @param subject the job, or the shard or scheduler, that it is about
 * @param what one sentence with the places where it can be seen
 */
public record Defect(Kind kind, String subject, String what) {

  /** Which counter it belongs to. */
  public enum Kind {
    LOST,
    TWICE,
    UNEXPLAINED
  }

  @Override
  public String toString() {
    return kind + " " + subject + ": " + what;
  }
}
