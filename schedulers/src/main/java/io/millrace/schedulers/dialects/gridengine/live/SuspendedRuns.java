package io.millrace.schedulers.dialects.gridengine.live;

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

/** Runs of the shard that stand still, by job, and which of them may go on. */
final class SuspendedRuns {

  private final Map<Long, Integer> suspended = new HashMap<>();

  /** Those that may go on, by job; 0 for those whose going on was proposed. */
  private final TreeMap<Long, Integer> resumable = new TreeMap<>();

  private final LongPredicate own;

  /**
   * @param own whether a job is this scheduler's
   */
  SuspendedRuns(LongPredicate own) {
    this.own = own;
  }

  /** A job of a snapshot. */
  void found(Job job) {
    if (job.getSuspension() != Suspension.NONE) {
      suspended.put(job.getNumber(), job.getRun());
      if (job.getSuspension() == Suspension.RESUMABLE && job.getKilling() == KillPurpose.NONE) {
        resumable(job.getNumber());
      }
    }
  }

  void suspended(long number, RunSuspended fact) {
    suspended.put(number, fact.getRun());
    if (fact.getSuspension() == Suspension.RESUMABLE) {
      resumable(number);
    }
  }

  void resumable(long number) {
    Integer run = suspended.get(number);
    if (run != null) {
      resumable.put(number, run);
    }
  }

  /** The run is to end. */
  void ending(long number) {
    resumable.remove(number);
  }

  /** The run goes on, or is no more. */
  void ended(long number) {
    suspended.remove(number);
    resumable.remove(number);
  }

  /** That it goes on was refused. */
  void withdraw(long number) {
    if (resumable.containsKey(number)) {
      resumable(number);
    }
  }

  /** Own jobs whose runs stand still. */
  Set<Long> all() {
    return suspended.keySet().stream().filter(own::test).collect(Collectors.toSet());
  }

  /** Whether an own run is to go on of which that was not proposed. */
  boolean anyToResume() {
    return resumable.entrySet().stream().anyMatch(it -> it.getValue() > 0 && own.test(it.getKey()));
  }

  /** Own runs that are to go on, by job; they count as proposed from now on. */
  Map<Long, Integer> takeToResume() {
    Map<Long, Integer> taken = new TreeMap<>(resumable);
    taken.entrySet().removeIf(it -> it.getValue() == 0 || !own.test(it.getKey()));
    taken.keySet().forEach(job -> resumable.put(job, 0));
    return taken;
  }
}
