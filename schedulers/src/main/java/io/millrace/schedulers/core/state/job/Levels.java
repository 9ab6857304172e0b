package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.policy.JobOrder;

/** Orders jobs by preemption level first, and within a level as the policy does. */
final class Levels {

  /** Levels are below 2^15, and a job that takes 4,000 years is one that takes as long as any. */
  private static final int SHIFT = 48;

  private static final long MOST = (1L << (SHIFT - 1)) - 1;

  private Levels() {}

  /**
   * Sort key of a job: its preemption level, then the policy's key. Jobs with equal keys go by
   * rank.
   */
  static long key(ClassState owner, JobOrder order, int priority) {
    return key(owner, order.place(owner.queue().priority(), priority, owner.shape().walltimeMs()));
  }

  /** Sort key from the level of the class and a key within the level. */
  static long key(ClassState owner, long place) {
    return ((long) owner.level() << SHIFT) + Math.max(-MOST, Math.min(MOST, place));
  }
}
