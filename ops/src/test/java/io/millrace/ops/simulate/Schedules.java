package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Metrics;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.TraceJob;
import io.millrace.schedulers.simulator.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Schedules for tests. */
final class Schedules {

  private Schedules() {}

  /** Jobs of random sizes, each started at the first second at which its processors are free. */
  static Schedule random(long seed, int processors, int count) {
    Random random = new Random(seed);
    List<TraceJob> jobs = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    int[] used = new int[count * 30 + 100];
    long submitS = 0;
    for (int i = 0; i < count; i++) {
      submitS += random.nextInt(4);
      TraceJob job =
          new TraceJob(i + 1, submitS, 1 + random.nextInt(20), 1 + random.nextInt(processors), 20);
      int start = (int) submitS;
      while (!fits(used, start, job, processors)) {
        start++;
      }
      for (int t = start; t < start + job.runS(); t++) {
        used[t] += job.processors();
      }
      jobs.add(job);
      starts.add((long) start);
    }
    Workload workload = new Workload(processors, 0, jobs, new TraceFindings());
    return new Schedule(workload, starts.stream().mapToLong(Long::longValue).toArray());
  }

  private static boolean fits(int[] used, int start, TraceJob job, int processors) {
    for (int t = start; t < start + job.runS(); t++) {
      if (used[t] + job.processors() > processors) {
        return false;
      }
    }
    return true;
  }

  static Result result(String name, Schedule schedule) {
    return new Result(name, schedule, Metrics.of(schedule), 0.5);
  }
}
