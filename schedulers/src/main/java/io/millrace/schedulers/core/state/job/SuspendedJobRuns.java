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

/** The runs that stand still: what they are when they wait, and what they were. */
public final class SuspendedJobRuns {

  /**
   * @param number of the run
   * @param request what the job asked for
   * @param shares what the run held, and will hold
   * @param ranMs how long it has run
   * @param held whether the job is held, which says something of its next start only
   */
  public record Run(
      int number, ResourceRequest request, List<NodeShare> shares, long ranMs, boolean held) {

    public static Run of(Job job) {
      ResourceRequest request = job.getSpec().getRequest();
      List<NodeShare> shares = job.getAllocation().getShares();
      boolean held = !job.getHolds().equals("n");
      return new Run(job.getRun(), request, shares, job.getRanMs(), held);
    }

    /** The run as a request that waits. */
    public ResourceRequest asRequest() {
      return Resumption.of(request, shares, ranMs);
    }

    Run with(ResourceRequest other) {
      return new Run(number, other, shares, ranMs, held);
    }

    Run with(boolean nowHeld) {
      return new Run(number, request, shares, ranMs, nowHeld);
    }
  }

  private final Map<Long, Run> runs = new HashMap<>();

  /** Whether the suspended run of a job waits for nothing but room. */
  public static boolean mayGoOn(Job job) {
    return job.getSuspension() == Suspension.RESUMABLE && job.getKilling() == KillPurpose.NONE;
  }

  /** What a job waits for that now asks for something else. */
  public ResourceRequest altered(long job, ResourceRequest request) {
    Run run = runs.computeIfPresent(job, (number, before) -> before.with(request));
    return run == null ? request : run.asRequest();
  }

  /** A hold is placed or released; whether the job has a suspended run, which remembers it. */
  public boolean hold(long job, boolean on) {
    return runs.computeIfPresent(job, (number, before) -> before.with(on)) != null;
  }

  public void put(long job, Run run) {
    runs.put(job, run);
  }

  /** The suspended run of a job; null when there is none. */
  public Run get(long job) {
    return runs.get(job);
  }

  /** Forgets and returns it. */
  public Run remove(long job) {
    return runs.remove(job);
  }
}
