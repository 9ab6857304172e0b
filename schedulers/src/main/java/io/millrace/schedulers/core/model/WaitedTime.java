package io.millrace.schedulers.core.model;

/** For how long jobs have waited for resources: PBS's eligible_time. */
@FunctionalInterface
public interface WaitedTime {

  /** Nothing is counted. */
  WaitedTime NONE = (job, atMs) -> 0;

  /** Whole seconds at a moment, by the number of the job. */
  long seconds(long job, long atMs);
}
