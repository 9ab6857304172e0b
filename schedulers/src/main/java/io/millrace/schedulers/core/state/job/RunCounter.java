package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;

/** Counts the jobs that run or are to run, for those who may have no more than so many. */
public interface RunCounter {

  /** What is left of an owner where nobody tells owners apart. */
  JobOwner seen(JobOwner account);

  /**
   * One job of the class more runs, or (sign -1) one less.
   *
   * @param chunks that it has; some get another number than they ask for
   */
  void count(ClassState owner, int sign, int chunks);

  /** All sums begin with 0 again; each class has to be forgotten. */
  void restart();

  /** Forgets what is known of a class. */
  void forget(ClassState owner);
}
