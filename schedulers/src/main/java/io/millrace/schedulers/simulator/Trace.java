package io.millrace.schedulers.simulator;

import java.util.List;

/**
 * A trace as it stands in its file.
 *
 * @param processors size of the machine by the header; 0 when the header does not give it
 * @param startEpochS when the trace begins, in seconds since 1970; 0 when the header is silent
 */
public record Trace(
    int processors, long startEpochS, List<TraceLine> lines, TraceFindings findings) {

  /**
   * The fields of a line that a replay looks at; -1 stands for unknown.
   *
   * @param number number of the line in the file
   */
  public record TraceLine(
      int number,
      long job,
      TraceTimes times,
      TraceSizes sizes,
      int status,
      TraceSubmitter submitter) {}

  /**
   * Who submitted a job, and to which queue: their numbers in the trace, below 0 where it does not
   * say it, and their names in a simulation.
   */
  public record TraceSubmitter(
      long user, long group, long queue, String userName, String groupName, String queueName) {

    /** A submitter of whom nothing is known. */
    public static final TraceSubmitter UNKNOWN = new TraceSubmitter(-1, -1, -1);

    /** A submitter of whom only numbers are known: {@code user12}, {@code group3}, {@code q1}. */
    public TraceSubmitter(long user, long group, long queue) {
      this(user, group, queue, name("user", user), name("group", group), name("q", queue));
    }

    private static String name(String letter, long number) {
      return number < 0 ? letter : letter + number;
    }
  }

  /**
   * Times of a job.
   *
   * @param submitS seconds since the trace's start
   * @param waitS for how long it waited; below 0 where the trace does not say it
   */
  public record TraceTimes(long submitS, long waitS, long runS, long requestedS) {}

  public record TraceSizes(long allocated, long requested) {}

  public Trace {
    lines = List.copyOf(lines);
  }
}
