package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;
import java.util.List;

/**
 * A job with tasks that wait, by number.
 *
 * @param leaving tasks that have ended and still count among those that may run at once
 */
public record PendingJob(Job job, List<Integer> tasks, int leaving) {

  public PendingJob(Job job, List<Integer> tasks) {
    this(job, tasks, 0);
  }
}
