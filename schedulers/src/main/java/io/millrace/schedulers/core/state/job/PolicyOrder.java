package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.policy.JobOrder;

/** Jobs by what a policy orders them by, with levels of preemption before and ranks behind it. */
public final class PolicyOrder implements ReadyOrder {

  private final JobSlots jobs;
  private final JobOrder order;

  public PolicyOrder(JobSlots jobs, JobOrder order) {
    this.jobs = jobs;
    this.order = order;
  }

  @Override
  public boolean before(ClassState a, int slot, ClassState b, int other) {
    long key = Levels.key(a, order, jobs.priority(slot));
    long otherKey = Levels.key(b, order, jobs.priority(other));
    return key != otherKey ? key < otherKey : jobs.rank(slot) < jobs.rank(other);
  }
}
