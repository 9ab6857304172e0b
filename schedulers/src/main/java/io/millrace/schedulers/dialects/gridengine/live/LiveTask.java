package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;

/** One job of the shard: a task of an array, or a job with a single one. */
final class LiveTask {

  /** Stages of a task. */
  enum TaskStage {
    WAITING,
    PROPOSED,
    RUNNING
  }

  final long number;
  final long submittedS;
  JobSpec spec;
  boolean held;
  boolean leaving;
  TaskStage stage = TaskStage.WAITING;

  /**
   * Resources that the task holds; null while it waits, and while its queue belongs to another
   * scheduler.
   */
  Assignment assignment;

  /** Allocation that the shard granted; null while the task does not run. */
  Allocation allocation;

  /** When the run was granted, in milliseconds since 1970. */
  long grantedMs;

  /** Whether its queue belongs to this scheduler; counted by {@link LiveJobs}. */
  boolean own;

  /** Rank in the order of starts. */
  long place;

  /** A -now y job that could not start; its rejection is proposed. */
  boolean spent;

  /**
   * An earlier run of it did not end by itself (requeue); it has used its -now y start and waits as
   * any other.
   */
  boolean ran;

  /** Assignment of the start that was withdrawn last; null for none. */
  Assignment withdrawn;

  LiveTask(long number, long submittedS, JobSpec spec) {
    this.number = number;
    this.submittedS = submittedS;
    this.spec = spec;
  }

  /** Task number in the array; 1 for a job that is none. */
  int index() {
    return Math.max(1, spec.getGridEngine().getTask());
  }

  /** Number of the Grid Engine job to which the task belongs. */
  long job() {
    return spec.getGridEngine().getTask() > 0 ? spec.getGridEngine().getArray() : number;
  }

  boolean holds() {
    return stage != TaskStage.WAITING;
  }
}
