package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;

/** One job of the shard: a task of an array, or a job with a single one. */
final class LiveTask {

  /** What it does. */
  enum Stage {
    WAITING,
    PROPOSED,
    RUNNING
  }

  final long number;
  final long submittedS;
  JobSpec spec;
  boolean held;
  boolean leaving;
  Stage stage = Stage.WAITING;

  /** What it holds; null while it waits, and while its queue is another scheduler's. */
  Assignment assignment;

  /** What the shard gave it; null while it does not run. */
  Allocation allocation;

  /** When that was, in milliseconds. */
  long grantedMs;

  /** Whether its queue is this scheduler's; {@link LiveJobs} keeps count of it. */
  boolean own;

  /** Place in the order of starts. */
  long place;

  /** It was to start at once and could not: its end is proposed. */
  boolean spent;

  /** A run of it came to an end that was not its own: it has started once, and waits as any. */
  boolean ran;

  /** What its start would have held that was withdrawn last; null for none. */
  Assignment withdrawn;

  LiveTask(long number, long submittedS, JobSpec spec) {
    this.number = number;
    this.submittedS = submittedS;
    this.spec = spec;
  }

  /** Its number within the array; 1 outside arrays. */
  int index() {
    return Math.max(1, spec.getGridEngine().getTask());
  }

  /** Number of the Grid Engine job that it belongs to. */
  long job() {
    return spec.getGridEngine().getTask() > 0 ? spec.getGridEngine().getArray() : number;
  }

  boolean holds() {
    return stage != Stage.WAITING;
  }
}
