package io.millrace.schedulers.simulator;

/**
 * A job of a workload that can be replayed.
 *
 * @param id number of the job in the trace
 * @param submitS seconds since the trace's start
 * @param runS for how long it keeps its processors; above 0
 * @param processors above 0
 * @param estimateS what its user said it would take at most; never below the run time
 */
public record TraceJob(
    long id,
    long submitS,
    long runS,
    int processors,
    long estimateS,
    Trace.TraceSubmitter submitter) {

  /** A job of which nobody knows whose it is. */
  public TraceJob(long id, long submitS, long runS, int processors, long estimateS) {
    this(id, submitS, runS, processors, estimateS, Trace.TraceSubmitter.UNKNOWN);
  }

  /** Number of its user in the trace; below 0 when the trace does not say it. */
  public long user() {
    return submitter.user();
  }
}
