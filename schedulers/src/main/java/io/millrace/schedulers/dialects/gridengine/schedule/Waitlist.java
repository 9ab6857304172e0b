package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.Priorities;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Waiting jobs in the order of their priority, each with its tasks by number. */
final class Waitlist {

  private final Deque<GridEngineJob> jobs;
  private final Map<Long, Deque<Integer>> tasks = new HashMap<>();

  /** Number of tasks of each job that run, or that this run started or promised a start. */
  private final Map<Long, Integer> placed = new HashMap<>();

  Waitlist(ClusterState state, List<PendingJob> considered, long now) {
    Map<Long, GridEngineJob> all = new LinkedHashMap<>();
    List<GridEngineJob> waiting = new ArrayList<>();
    for (PendingJob pending : considered) {
      if (!pending.tasks().isEmpty()) {
        waiting.add(pending.job());
        tasks.put(pending.job().number(), new ArrayDeque<>(pending.tasks()));
        placed.put(pending.job().number(), pending.leaving());
      }
      all.put(pending.job().number(), pending.job());
    }
    for (RunningTask task : state.running()) {
      placed.merge(task.job().number(), 1, Integer::sum);
      all.put(task.job().number(), task.job());
    }
    jobs =
        new ArrayDeque<>(
            new Priorities(state.cluster(), state.scheduler(), all.values(), now).sorted(waiting));
  }

  Optional<GridEngineJob> first() {
    return Optional.ofNullable(jobs.peek());
  }

  /** The next task of the first job. */
  int task() {
    return tasks.get(jobs.peek().number()).peek();
  }

  /**
   * Whether the first job runs as many tasks at once as -tc allows. Promised tasks count, because a
   * promise beyond the limit could not be kept.
   */
  boolean atConcurrency() {
    int limit = jobs.peek().behaviour().concurrent();
    return limit > 0 && placed.getOrDefault(jobs.peek().number(), 0) >= limit;
  }

  /** Counts the first job's next task as started or promised. */
  void placed() {
    placed.merge(jobs.peek().number(), 1, Integer::sum);
    Deque<Integer> left = tasks.get(jobs.peek().number());
    left.poll();
    if (left.isEmpty()) {
      jobs.poll();
    }
  }

  /** Removes the first job from this run. */
  void dropJob() {
    jobs.poll();
  }
}
