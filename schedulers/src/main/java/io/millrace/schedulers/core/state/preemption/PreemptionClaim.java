package io.millrace.schedulers.core.state.preemption;

import io.millrace.schedulers.core.state.node.JobAllocation;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job that starts as soon as the runs preempted for it have ended. It is allocated its nodes
 * already, so that no other job takes what these runs leave; until then more of the nodes is
 * allocated than exists.
 */
public final class PreemptionClaim {

  private final long number;
  private final JobAllocation held;
  private final long endMs;
  private final long sinceMs;
  private final SortedMap<Long, Long> victims;

  public PreemptionClaim(
      long number, JobAllocation held, long endMs, long sinceMs, SortedMap<Long, Long> victims) {
    this.number = number;
    this.held = held;
    this.endMs = endMs;
    this.sinceMs = sinceMs;
    this.victims = new TreeMap<>(victims);
  }

  public long number() {
    return number;
  }

  public JobAllocation held() {
    return held;
  }

  /** Expected end of the job if it starts at once. */
  public long endMs() {
    return endMs;
  }

  public long sinceMs() {
    return sinceMs;
  }

  /** The runs that have yet to end, and when each was expected to end by itself. */
  public SortedMap<Long, Long> victims() {
    return Collections.unmodifiableSortedMap(victims);
  }

  void victimGone(long victim) {
    victims.remove(victim);
  }

  public boolean ready() {
    return victims.isEmpty();
  }
}
