package io.millrace.schedulers.simulator;

/**
 * When each job of a workload started; the array runs in parallel with the workload's jobs.
 *
 * @param startS seconds since the trace's start
 */
public record Schedule(Workload workload, long[] startS) {

  /** Start of a job that was never started. */
  static final long NEVER = Long.MIN_VALUE;

  public long waitS(int job) {
    return startS[job] - workload.jobs().get(job).submitS();
  }

  public long endS(int job) {
    return startS[job] + workload.jobs().get(job).runS();
  }
}
