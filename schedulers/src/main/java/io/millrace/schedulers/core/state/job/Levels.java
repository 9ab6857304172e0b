package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.policy.JobOrder;

/** Jobs of a higher level of preemption come first, whatever a policy orders by within a level. */
final class Levels {

  /** Levels are below 2^15, and a job that takes 4,000 years is one that takes as long as any. */
  private static final int SHIFT = 48;

  private static final long MOST = (1L << (SHIFT - 1)) - 1;

  private Levels() {}

  /** Number by which a job of a class is ordered before its rank. */
  static long key(ClassState owner, JobOrder order, int priority) {
    return key(owner, order.place(owner.queue().priority(), priority, owner.shape().walltimeMs()));
  }

  /** The same for a number by which it is ordered within its level. */
  static long key(ClassState owner, long place) {
    return ((long) owner.level() << SHIFT) + Math.max(-MOST, Math.min(MOST, place));
  }
}
