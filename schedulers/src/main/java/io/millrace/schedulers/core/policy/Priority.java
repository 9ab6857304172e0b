package io.millrace.schedulers.core.policy;

/**
 * Queues of higher priority first, and within them jobs of higher priority; what does not fit is
 * passed over without a promise.
 */
public final class Priority implements Policy {

  @Override
  public String name() {
    return "priority";
  }

  @Override
  public JobOrder order() {
    return JobOrder.PRIORITY;
  }
}
