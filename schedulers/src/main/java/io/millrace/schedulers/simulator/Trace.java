package io.millrace.schedulers.simulator;

import java.util.List;

/**
 * A trace as it stands in its file.
 *
 * @param processors size of the machine by the header; 0 when the header does not give it
 * @param startEpochS when the trace begins, in seconds since 1970; 0 when the header is silent
 */
public record Trace(int processors, long startEpochS, List<Line> lines, TraceFindings findings) {

  /**
   * The fields of a line that a replay looks at; -1 stands for unknown.
   *
   * @param number number of the line in the file
   */
  public record Line(int number, long job, Times times, Sizes sizes, int status, long user) {}

  public record Times(long submitS, long runS, long requestedS) {}

  public record Sizes(long allocated, long requested) {}

  public Trace {
    lines = List.copyOf(lines);
  }
}
