package io.millrace.connectors.bridge.system;

/**
 * The number that an outside system gave to a job. Numbers are used again, so that one means
 * something only together with account and time of submission.
 *
 * @param number of the job
 * @param task index in an array; 0 for a job that is none
 */
public record OutsideId(long number, long task) implements Comparable<OutsideId> {

  public static OutsideId of(long number) {
    return new OutsideId(number, 0);
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
