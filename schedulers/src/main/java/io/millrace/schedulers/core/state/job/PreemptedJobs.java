package io.millrace.schedulers.core.state.job;

import java.util.HashMap;
import java.util.Map;

/** Waiting jobs that were preempted, in the order in which they were. */
public final class PreemptedJobs {

  private final Map<Long, Long> turns = new HashMap<>();
  private long next;

  public void add(long job) {
    turns.put(job, next++);
  }

  public void remove(long job) {
    if (!turns.isEmpty()) {
      turns.remove(job);
    }
  }

  public boolean isEmpty() {
    return turns.isEmpty();
  }

  /** The job's place among those that were preempted; larger than any for one that was not. */
  long turn(long job) {
    Long turn = turns.isEmpty() ? null : turns.get(job);
    return turn == null ? Long.MAX_VALUE : turn;
  }
}
