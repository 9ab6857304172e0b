package io.millrace.schedulers.core.policy;

/**
 * The order in which jobs are considered: by one number, then by the order of submission. The
 * number must not depend on anything but the arguments, so that places are computed once.
 */
@FunctionalInterface
public interface JobOrder {

  /** As submitted. */
  JobOrder SUBMISSION = (priority, walltimeMs) -> 0;

  /** Higher priority first. */
  JobOrder PRIORITY = (priority, walltimeMs) -> -(long) priority;

  /** Shorter estimated runtime first; jobs without an estimate last. */
  JobOrder SHORTEST = (priority, walltimeMs) -> walltimeMs;

  /**
   * Jobs with a smaller number come first.
   *
   * @param walltimeMs estimated runtime; {@link Long#MAX_VALUE} when the job has none
   */
  long place(int priority, long walltimeMs);
}
