package io.millrace.schedulers.core.policy;

/**
 * The order in which jobs are considered: by one number, then by the order of submission. The
 * number must not depend on anything but the arguments, so that places are computed once.
 */
@FunctionalInterface
public interface JobOrder {

  /** Jobs in the order of submission. */
  JobOrder SUBMISSION = (queuePriority, priority, walltimeMs) -> 0;

  /**
   * Distance between the keys of queues whose priorities differ by one; larger than any difference
   * between jobs of one queue.
   */
  long QUEUES_APART = 4096;

  /** Queue priorities above this count as equal. */
  long QUEUE_MOST = 1L << 30;

  /** By queue priority, then by job priority, highest first. */
  JobOrder PRIORITY =
      (queuePriority, priority, walltimeMs) ->
          -Math.max(-QUEUE_MOST, Math.min(QUEUE_MOST, queuePriority)) * QUEUES_APART - priority;

  /** Shorter estimated runtime first; jobs without an estimate last. */
  JobOrder SHORTEST = (queuePriority, priority, walltimeMs) -> walltimeMs;

  /**
   * Jobs with a smaller number come first.
   *
   * @param queuePriority the attribute Priority of the job's queue
   * @param priority of the job, -1024 to 1023
   * @param walltimeMs estimated runtime; {@link Long#MAX_VALUE} when the job has none
   */
  long place(long queuePriority, int priority, long walltimeMs);
}
