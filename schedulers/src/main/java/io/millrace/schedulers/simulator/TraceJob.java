package io.millrace.schedulers.simulator;

import io.millrace.schemas.pbs.jobs.JobNumbers;

/**
 * A job of a workload that can be replayed.
 *
 * @param id number of the job in the trace; of a subjob as {@link JobNumbers} has it
 * @param submitS seconds since the trace's start
 * @param runS for how long it keeps its processors; above 0
 * @param processors above 0
 * @param estimateS what its user said it would take at most; never below the run time
 * @param waitS for how long it waited by the trace; below 0 where that does not say it
 */
public record TraceJob(
    long id,
    long submitS,
    long runS,
    int processors,
    long estimateS,
    Trace.TraceSubmitter submitter,
    long waitS) {

  /** A job of which nobody knows whose it is. */
  public TraceJob(long id, long submitS, long runS, int processors, long estimateS) {
    this(id, submitS, runS, processors, estimateS, Trace.TraceSubmitter.UNKNOWN);
  }

  /** A job of which nobody knows when it started. */
  public TraceJob(
      long id,
      long submitS,
      long runS,
      int processors,
      long estimateS,
      Trace.TraceSubmitter submitter) {
    this(id, submitS, runS, processors, estimateS, submitter, -1);
  }

  /** What the trace calls it: {@code 12}, a subjob of an array {@code 12[3]}. */
  public String name() {
    return JobNumbers.isSubjob(id)
        ? JobNumbers.array(id) + "[" + JobNumbers.index(id) + "]"
        : Long.toString(id);
  }

  /** Number of its user in the trace; below 0 when the trace does not say it. */
  public long user() {
    return submitter.user();
  }
}
