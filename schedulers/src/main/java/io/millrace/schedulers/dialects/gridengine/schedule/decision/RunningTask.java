package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;

/** A task that holds resources, as it was assigned. */
public record RunningTask(GridEngineJob job, int task, Assignment assignment, Phase phase) {

  /** As the file schedule calls it. */
  public enum Phase {
    RUNNING,
    SUSPENDED,
    MIGRATING
  }
}
