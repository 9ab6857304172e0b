package io.millrace.schedulers.core;

/** Higher priority first, then the order of submission. */
public final class PriorityOrder implements Policy {

  @Override
  public String name() {
    return "priority";
  }

  @Override
  public boolean before(int priority, long rank, int otherPriority, long otherRank) {
    return priority != otherPriority ? priority > otherPriority : rank < otherRank;
  }
}
