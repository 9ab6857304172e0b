package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import java.util.HashMap;
import java.util.Map;

/**
 * How long runs last of which more is to be known than what their jobs ask for: those that began so
 * late that they end sooner, before a reservation, and those that were suspended and went on.
 */
public final class RunDurations {

  private final Map<Long, Long> limitsS = new HashMap<>();
  private final Map<Long, Long> ranMs = new HashMap<>();

  /** Takes over what is known of a job's run. */
  public void job(Job job) {
    limit(job.getNumber(), job.getBookedLimitS());
    resumed(job.getNumber(), job.getResumedMs() >= 0 ? job.getRanMs() : 0);
  }

  /** A run may last so many seconds; 0 for as many as its job asks for. */
  public void limit(long job, long limitS) {
    put(limitsS, job, limitS);
  }

  /** A run goes on that had run for so long before; 0 for one that is at its beginning. */
  public void resumed(long job, long beforeMs) {
    put(ranMs, job, beforeMs);
  }

  private static void put(Map<Long, Long> map, long job, long value) {
    if (value > 0) {
      map.put(job, value);
    } else {
      map.remove(job);
    }
  }

  public void remove(long job) {
    limitsS.remove(job);
    ranMs.remove(job);
  }

  /** How many seconds a run may last; 0 for as many as the job asks for. */
  public long limitS(long job) {
    return limitsS.getOrDefault(job, 0L);
  }

  /**
   * How long a run of a job that asks for this lasts from its start, or since it goes on, in
   * milliseconds.
   */
  public long lastsMs(long job, RequestShape asked) {
    long limitS = limitS(job);
    long lastsMs = limitS > 0 ? RequestShape.milliseconds(limitS) : asked.walltimeMs();
    return ranMs.containsKey(job) ? Resumption.leftMs(lastsMs, ranMs.get(job)) : lastsMs;
  }
}
