package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.policy.JobOrder;

/** Orders jobs by preemption level, then by the policy's order, then by rank. */
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
