package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;

/** Counts the jobs that run or are about to, for run limits. */
public interface RunCounter {

  /** The owner as limits see it; {@link JobOwner#ANYBODY} where no limit tells owners apart. */
  JobOwner seen(JobOwner account);

  /**
   * One more job of the class runs, or one less when sign is -1.
   *
   * @param chunks that the job has, which may be another number than it asked for
   */
  void count(ClassState owner, int sign, int chunks);

  /** Resets all sums to 0; the caller then calls {@link #forget} for each class. */
  void restart();

  /** Forgets what is known of a class. */
  void forget(ClassState owner);
}
