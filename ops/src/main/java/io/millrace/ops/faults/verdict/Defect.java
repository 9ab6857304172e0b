package io.millrace.ops.faults.verdict;

/**
 * A violation that a check has found.
 *
 * @param subject the job, or the shard or scheduler, that it is about
 * @param what one sentence with the places in the evidence that show it
 */
public record Defect(DefectKind kind, String subject, String what) {

  /** Counter of the report that a defect adds to. */
  public enum DefectKind {
    LOST,
    TWICE,
    /** Of a task: its success was counted more than once. */
    COUNTED_TWICE,
    /** A run that was in the outside system already. */
    SUBMITTED_AGAIN,
    /** Called ended while it lived in the outside system. */
    ENDED_EARLY,
    /** Its end is not the one that its script and the outside system have. */
    DISAGREES,
    UNEXPLAINED
  }

  @Override
  public String toString() {
    return kind + " " + subject + ": " + what;
  }
}
