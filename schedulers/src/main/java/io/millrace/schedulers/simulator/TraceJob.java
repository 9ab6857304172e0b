package io.millrace.schedulers.simulator;

/**
 * A job of a workload that can be replayed.
 *
 * @param id number of the job in the trace
 * @param submitS seconds since the trace's start
 * @param runS for how long it keeps its processors; above 0
 * @param processors above 0
 * @param estimateS what its user said it would take at most; never below the run time
 * @param user number of its user in the trace; below 0 when the trace does not say it
 */
public record TraceJob(
    long id, long submitS, long runS, int processors, long estimateS, long user) {

  private static final long UNKNOWN = -1;

  /** A job whose user is unknown. */
  public TraceJob(long id, long submitS, long runS, int processors, long estimateS) {
    this(id, submitS, runS, processors, estimateS, UNKNOWN);
  }
}
