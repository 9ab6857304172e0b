package io.millrace.server.core.placement;

import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.state.Job;

/** When runs end by their walltimes, in milliseconds of the shard's time. */
public final class RunTimes {
  /** Of a run that nothing ends. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long SECOND_MS = 1000;

  private RunTimes() {}

  /**
   * When the current run began. A host's clock may be wrong, and where the run is on an outside
   * system its owner's file tells: it began neither before it was granted nor later than now, and
   * what was told first counts.
   *
   * @param reportedMs what its host says
   */
  public static long began(Job job, long reportedMs, long nowMs) {
    boolean told = job.getSessionId() != 0;
    return told
        ? job.getStartedMs()
        : Math.max(job.getStartedMs(), Math.min(reportedMs, nowMs)); // set by the grant
  }

  /** The end of a run of the job that begins now. */
  static long ifStarted(Job job, long nowMs) {
    return after(nowMs, walltimeS(job));
  }

  /** The end of a suspended run that is resumed now. */
  static long ifResumed(Job job, long nowMs) {
    long endMs = after(nowMs, walltimeS(job));
    return endMs == NEVER ? NEVER : Math.max(nowMs, endMs - job.getRanMs());
  }

  /** The end of the current run, which is not suspended. */
  public static long end(Job job) {
    return end(job, walltimeS(job));
  }

  /** The end that it would have with another walltime. */
  public static long end(Job job, long walltimeS) {
    boolean resumed = job.getResumedMs() >= 0;
    long endMs = after(resumed ? job.getResumedMs() : job.getStartedMs(), walltimeS);
    return endMs == NEVER || !resumed ? endMs : endMs - job.getRanMs();
  }

  private static long walltimeS(Job job) {
    return RunWalltimes.of(job);
  }

  /** A walltime of 0 is none, as for the host that has the run. */
  private static long after(long fromMs, long walltimeS) {
    boolean none = walltimeS <= 0 || walltimeS > (NEVER - fromMs) / SECOND_MS;
    return none ? NEVER : fromMs + walltimeS * SECOND_MS;
  }
}
