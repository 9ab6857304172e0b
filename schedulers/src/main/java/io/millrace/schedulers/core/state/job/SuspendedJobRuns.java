package io.millrace.schedulers.core.state.job;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The suspended runs of jobs: what they held, and the request as which they wait to be resumed. */
public final class SuspendedJobRuns {

  /**
   * @param number of the run
   * @param request what the job asked for
   * @param shares what the run held, and will hold
   * @param ranMs how long it has run
   * @param held whether the job is held, which says something of its next start only
   * @param limitS how many seconds the run may last in all since it began late; 0 when it did not
   */
  public record SuspendedRun(
      int number,
      ResourceRequest request,
      List<NodeShare> shares,
      long ranMs,
      boolean held,
      long limitS) {

    public static SuspendedRun of(Job job) {
      ResourceRequest request = job.getSpec().getRequest();
      List<NodeShare> shares = job.getAllocation().getShares();
      boolean held = !job.getHolds().equals("n");
      return new SuspendedRun(
          job.getRun(), request, shares, job.getRanMs(), held, job.getBookedLimitS());
    }

    /** The run as a request that waits for room in order to be resumed. */
    public ResourceRequest asRequest() {
      ResourceRequest limited =
          new ResourceRequest(
              request.getChunks(), request.getPlace(), walltimeS(), request.getJobWide());
      return Resumption.of(limited, shares, ranMs);
    }

    /** How many seconds the run may last in all; negative when nothing ends it. */
    public long walltimeS() {
      long askedS = request.getWalltimeS();
      return limitS > 0 && (askedS <= 0 || limitS < askedS) ? limitS : askedS;
    }

    SuspendedRun with(ResourceRequest other, boolean askedAnew) {
      return new SuspendedRun(number, other, shares, ranMs, held, askedAnew ? 0 : limitS);
    }

    SuspendedRun with(boolean nowHeld) {
      return new SuspendedRun(number, request, shares, ranMs, nowHeld, limitS);
    }
  }

  private final Map<Long, SuspendedRun> runs = new HashMap<>();

  /** Whether the suspended run of a job waits for nothing but room. */
  public static boolean mayGoOn(Job job) {
    return job.getSuspension() == Suspension.RESUMABLE && job.getKilling() == KillPurpose.NONE;
  }

  /**
   * The request for which a job waits after it was altered: a suspended run still waits for what it
   * held.
   *
   * @param askedAnew whether its walltime was asked for again: it is limited by nothing else then
   */
  public ResourceRequest altered(long job, ResourceRequest request, boolean askedAnew) {
    SuspendedRun run =
        runs.computeIfPresent(job, (number, before) -> before.with(request, askedAnew));
    return run == null ? request : run.asRequest();
  }

  /** Notes that a hold was set or released; returns whether the job has a suspended run. */
  public boolean hold(long job, boolean on) {
    return runs.computeIfPresent(job, (number, before) -> before.with(on)) != null;
  }

  public void put(long job, SuspendedRun run) {
    runs.put(job, run);
  }

  /** The suspended run of a job; null when there is none. */
  public SuspendedRun get(long job) {
    return runs.get(job);
  }

  /** Removes and returns the suspended run of a job. */
  public SuspendedRun remove(long job) {
    return runs.remove(job);
  }
}
