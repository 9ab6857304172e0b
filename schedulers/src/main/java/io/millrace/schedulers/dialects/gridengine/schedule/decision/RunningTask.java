package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.request.GridEngineJob;

/** A running task and the assignment that it holds. */
public record RunningTask(GridEngineJob job, int task, Assignment assignment, Phase phase) {

  /** Phase of the task, by the words of the file schedule. */
  public enum Phase {
    RUNNING,
    SUSPENDED,
    MIGRATING
  }
}
