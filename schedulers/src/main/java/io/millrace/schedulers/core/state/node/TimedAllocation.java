package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;

/** Allocation of a run or proposal with its expected end. */
public final class TimedAllocation extends ExpectedEnd {

  private final JobAllocation held;

  /**
   * @param endMs {@link UsageProfile#FOREVER} when nobody knows
   */
  TimedAllocation(long number, JobAllocation held, long endMs) {
    super(number, held.chunks(), held.asked(), endMs);
    this.held = held;
  }

  public JobAllocation held() {
    return held;
  }
}
