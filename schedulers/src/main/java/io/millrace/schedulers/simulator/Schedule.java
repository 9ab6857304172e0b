package io.millrace.schedulers.simulator;

/**
 * When each job of a workload started; the array runs in parallel with the workload's jobs.
 *
 * @param startS seconds since the trace's start
 */
public record Schedule(Workload workload, long[] startS) {

  /** Start of a job that was never started. */
  static final long NEVER = Long.MIN_VALUE;

  /**
   * What happened, by the trace itself.
   *
   * @throws IllegalStateException when it does not tell of each job how long it waited
   */
  static Schedule recorded(Workload workload) {
    long unknown = workload.jobs().stream().filter(it -> it.waitS() < 0).count();
    if (unknown > 0) {
      throw new IllegalStateException(
          "the trace does not tell how long " + unknown + " of its jobs waited");
    }
    return new Schedule(
        workload, workload.jobs().stream().mapToLong(it -> it.submitS() + it.waitS()).toArray());
  }

  public long waitS(int job) {
    return startS[job] - workload.jobs().get(job).submitS();
  }

  public long endS(int job) {
    return startS[job] + workload.jobs().get(job).runS();
  }
}
