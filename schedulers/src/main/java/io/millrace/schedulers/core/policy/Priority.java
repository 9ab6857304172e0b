package io.millrace.schedulers.core.policy;

/**
 * Higher priority first; what does not fit is passed over without a promise. This is what PBS does
 * unless told otherwise.
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
