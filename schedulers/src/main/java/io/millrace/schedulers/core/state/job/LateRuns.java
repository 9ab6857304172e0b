package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schemas.state.Job;
import java.util.HashMap;
import java.util.Map;

/** Runs that began so late that they end sooner than their walltime says: before a reservation. */
public final class LateRuns {

  private final Map<Long, Long> limitsS = new HashMap<>();

  /** Takes over what is known of a job's run. */
  public void job(Job job) {
    if (job.getBookedLimitS() > 0) {
      put(job.getNumber(), job.getBookedLimitS());
    } else {
      remove(job.getNumber());
    }
  }

  public void put(long job, long limitS) {
    limitsS.put(job, limitS);
  }

  public void remove(long job) {
    limitsS.remove(job);
  }

  /** How many seconds a run may last; 0 for as many as the job asks for. */
  public long limitS(long job) {
    return limitsS.getOrDefault(job, 0L);
  }

  /** How long a run lasts of a job that asks for this, in milliseconds. */
  public long lastsMs(long job, RequestShape asked) {
    long limitS = limitS(job);
    return limitS > 0 ? RequestShape.milliseconds(limitS) : asked.walltimeMs();
  }
}
