package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.List;

/**
 * A job of a session.
 *
 * @param job with its number and its time of submission
 * @param arrival_s seconds from the session's begin
 * @param run_s how long each task runs
 * @param after names of jobs that must have ended before
 */
public record CaseJob(GridEngineJob job, long arrival_s, long run_s, List<String> after) {

  public CaseJob with(GridEngineJob changed) {
    return new CaseJob(changed, arrival_s, run_s, after);
  }
}
