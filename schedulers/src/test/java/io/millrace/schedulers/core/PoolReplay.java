package io.millrace.schedulers.core;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import java.util.List;
import java.util.PriorityQueue;

/** Jobs on a pool of identical processors, pushed through the cycle in virtual time. */
final class PoolReplay {

  /** Times in seconds. */
  record PoolJob(long submit, int processors, long run, long estimate) {}

  private record End(long time, long number) {}

  private final SchedulerState state;
  private final List<PoolJob> jobs;
  final long[] started;
  int cycles;

  PoolReplay(int processors, Policy policy, List<PoolJob> jobs) {
    this.jobs = jobs;
    this.started = new long[jobs.size()];
    state = new SchedulerState("default", 0, policy, Integer.MAX_VALUE);
    state.written(Records.scheduler());
    state.written(Records.queue("q"));
    state.written(Records.object(ObjectKind.NODE, "pool"));
    state.node(Records.node("pool", "pool", processors, 0));
  }

  SchedulerState state() {
    return state;
  }

  /** Jobs must be in the order of submission. */
  void run() {
    PriorityQueue<End> ends = new PriorityQueue<>((a, b) -> Long.compare(a.time, b.time));
    int next = 0;
    while (next < jobs.size() || !ends.isEmpty()) {
      long now = next < jobs.size() ? jobs.get(next).submit : Long.MAX_VALUE;
      if (!ends.isEmpty()) {
        now = Math.min(now, ends.peek().time);
      }
      while (!ends.isEmpty() && ends.peek().time == now) {
        state.gone(ends.poll().number);
      }
      while (next < jobs.size() && jobs.get(next).submit == now) {
        PoolJob job = jobs.get(next);
        state.job(
            next, next, 0, "q", state.request(1, "ncpus", job.processors, job.estimate * 1000));
        next++;
      }
      if (!state.workDue()) {
        continue;
      }
      cycles++;
      Decisions decisions = Cycle.run(state, Instant.ofEpochSecond(now), Long.MAX_VALUE);
      for (Start start : decisions.starts()) {
        int number = (int) start.jobNumber();
        state.started(number);
        started[number] = now;
        ends.add(new End(now + jobs.get(number).run, number));
      }
    }
  }
}
