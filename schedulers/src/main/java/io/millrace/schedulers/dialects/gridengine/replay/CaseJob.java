package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import java.util.List;

/**
 * A job of a session.
 *
 * @param job with its number and its time of submission
 * @param arrival_s seconds from the session's begin
 * @param run_s how long each task runs when nothing ends it
 * @param limited whether a task ends at the h_rt that the job requests
 * @param after names of jobs that must have ended before
 */
public record CaseJob(
    GridEngineJob job, long arrival_s, long run_s, boolean limited, List<String> after) {

  /** How long a task runs that starts with these requests. */
  long lasts_s(Needs needs) {
    return limited
        ? needs.hard("h_rt").map(it -> Math.min(run_s, (long) it.amount())).orElse(run_s)
        : run_s;
  }

  public CaseJob with(GridEngineJob changed) {
    return new CaseJob(changed, arrival_s, run_s, limited, after);
  }
}
