package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;

/** A task that holds resources, as it was assigned. */
public record RunningTask(Job job, int task, Assignment assignment, Phase phase) {

  /** As the file schedule calls it. */
  public enum Phase {
    RUNNING,
    SUSPENDED,
    MIGRATING
  }
}
