package io.millrace.schedulers.core.state.job;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;

/** When runs are expected to end, in milliseconds since the epoch. */
public final class RunEnds {

  private RunEnds() {}

  /** Expected end of the run of a running job. */
  public static long endMs(Job job) {
    long askedS = job.getSpec().getRequest().getWalltimeS();
    long walltimeS = job.getBookedLimitS() > 0 ? RunWalltimes.of(job) : askedS;
    boolean again = job.getResumedMs() >= 0;
    return endMs(begunMs(job), again ? Resumption.walltimeS(walltimeS, job.getRanMs()) : walltimeS);
  }

  /** Time since which the job's run has been running without a suspension. */
  public static long begunMs(Job job) {
    if (job.getResumedMs() >= 0) {
      return job.getResumedMs();
    }
    return job.getStartedMs() >= 0 ? job.getStartedMs() : job.getModifiedMs();
  }

  /** The end of a run with this walltime; 0 is none, as for the shard and for hosts. */
  public static long endMs(long begunMs, long walltimeS) {
    return walltimeS <= 0
        ? UsageProfile.FOREVER
        : UsageProfile.end(begunMs, RequestShape.milliseconds(walltimeS));
  }
}
