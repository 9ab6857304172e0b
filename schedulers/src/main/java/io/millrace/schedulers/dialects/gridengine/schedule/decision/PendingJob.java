package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.List;

/**
 * A job with tasks that wait, by number.
 *
 * @param leaving tasks that have ended but still count against -tc
 */
public record PendingJob(GridEngineJob job, List<Integer> tasks, int leaving) {

  public PendingJob(GridEngineJob job, List<Integer> tasks) {
    this(job, tasks, 0);
  }
}
