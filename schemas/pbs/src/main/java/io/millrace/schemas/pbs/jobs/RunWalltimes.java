package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.state.Job;
import java.util.List;

/** How long a run may last. */
public final class RunWalltimes {
  /** Of a run that nothing ends. */
  public static final long NONE = 0;

  /** What {@link JobAltered} calls the request of a job. */
  public static final String REQUEST = "Resource_List";

  private RunWalltimes() {}

  /**
   * Whether an alteration asked for a walltime anew, be it the same as before: it was checked
   * against what is booked now, and takes the place of the limit of a run that began late.
   */
  public static boolean askedAnew(JobAltered fact) {
    return List.of(fact.getChanged().split(",")).contains(REQUEST);
  }

  /**
   * Seconds from the start of the run: what the job asked for, or what its place allows when that
   * is less.
   *
   * @param allocation what the run holds; null for a job without one, which no place limits yet
   */
  public static long of(JobSpec spec, Allocation allocation) {
    long asked = Math.max(NONE, spec.getRequest().getWalltimeS());
    boolean placed = allocation != null && allocation.getGridEngine() != null;
    long allowed = placed ? Math.max(NONE, allocation.getGridEngine().getWalltimeS()) : NONE;
    return least(asked, allowed);
  }

  /** The same of the current run of a job, which may have begun late before a reservation. */
  public static long of(Job job) {
    return least(of(job.getSpec(), job.getAllocation()), job.getBookedLimitS());
  }

  private static long least(long one, long other) {
    return one == NONE || other == NONE ? Math.max(one, other) : Math.min(one, other);
  }

  /** Seconds from the start of the run after which it is warned with SIGUSR1; or {@link #NONE}. */
  public static long soft(Allocation allocation) {
    boolean placed = allocation.getGridEngine() != null;
    return placed ? Math.max(NONE, allocation.getGridEngine().getSoftWalltimeS()) : NONE;
  }
}
