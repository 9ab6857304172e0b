package io.millrace.schedulers.dialects.runs;

import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Suspended runs of the shard, by job, and which of them may be resumed. */
public final class SuspendedRuns {

  private final Map<Long, Integer> suspended = new HashMap<>();

  /** Run numbers of those that may be resumed, by job; 0 once that is proposed. */
  private final TreeMap<Long, Integer> resumable = new TreeMap<>();

  private final LongPredicate own;

  /**
   * @param own whether a job is this scheduler's
   */
  public SuspendedRuns(LongPredicate own) {
    this.own = own;
  }

  /** Takes over a job from a snapshot. */
  public void found(Job job) {
    if (job.getSuspension() != Suspension.NONE) {
      suspended.put(job.getNumber(), job.getRun());
      if (job.getSuspension() == Suspension.RESUMABLE && job.getKilling() == KillPurpose.NONE) {
        resumable(job.getNumber());
      }
    }
  }

  public void suspended(long number, RunSuspended fact) {
    suspended.put(number, fact.getRun());
    if (fact.getSuspension() == Suspension.RESUMABLE) {
      resumable(number);
    }
  }

  public void resumable(long number) {
    Integer run = suspended.get(number);
    if (run != null) {
      resumable.put(number, run);
    }
  }

  /** The run has been told to end. */
  public void ending(long number) {
    resumable.remove(number);
  }

  /** The run was resumed or has ended. */
  public void ended(long number) {
    suspended.remove(number);
    resumable.remove(number);
  }

  /** The proposal to resume the run was refused. */
  public void withdraw(long number) {
    if (resumable.containsKey(number)) {
      resumable(number);
    }
  }

  /** Own jobs with suspended runs. */
  public Set<Long> all() {
    return suspended.keySet().stream().filter(own::test).collect(Collectors.toSet());
  }

  /** Whether an own run may be resumed for which that has not been proposed. */
  public boolean anyToResume() {
    return resumable.entrySet().stream().anyMatch(it -> it.getValue() > 0 && own.test(it.getKey()));
  }

  /** Returns the own runs to resume, by job, and counts them as proposed. */
  public Map<Long, Integer> takeToResume() {
    Map<Long, Integer> taken = new TreeMap<>(resumable);
    taken.entrySet().removeIf(it -> it.getValue() == 0 || !own.test(it.getKey()));
    taken.keySet().forEach(job -> resumable.put(job, 0));
    return taken;
  }
}
