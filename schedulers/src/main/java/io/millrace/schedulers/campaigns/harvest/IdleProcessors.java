package io.millrace.schedulers.campaigns.harvest;

import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceJob;
import io.millrace.schedulers.simulator.Workload;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processors that local jobs leave idle, as steps over a time.
 *
 * @param processors of the machine
 * @param fromS begin, seconds since the trace's start
 * @param toS end
 * @param atS when the number changes, ascending; the first is fromS
 * @param idle from then on
 */
public record IdleProcessors(int processors, long fromS, long toS, long[] atS, int[] idle) {

  /**
   * What the jobs of a schedule leave between two moments.
   *
   * @throws IllegalArgumentException when the schedule ends before the time does
   */
  public static IdleProcessors of(Schedule schedule, long fromS, long toS) {
    Workload workload = schedule.workload();
    List<TraceJob> jobs = workload.jobs();
    TreeMap<Long, Integer> changes = new TreeMap<>();
    changes.put(fromS, 0);
    long lastS = Long.MIN_VALUE;
    for (int job = 0; job < jobs.size(); job++) {
      long beginS = Math.max(fromS, schedule.startS()[job]);
      long endS = Math.min(toS, schedule.endS(job));
      lastS = Math.max(lastS, schedule.endS(job));
      if (beginS < endS) {
        changes.merge(beginS, jobs.get(job).processors(), Integer::sum);
        changes.merge(endS, -jobs.get(job).processors(), Integer::sum);
      }
    }
    if (fromS < 0 || fromS >= toS || lastS < toS) {
      throw new IllegalArgumentException(
          "the trace lasts from 0 to " + lastS / 86_400 + " days: these are not within");
    }
    changes.tailMap(toS, true).clear();
    long[] atS = new long[changes.size()];
    int[] idle = new int[changes.size()];
    int used = 0;
    int step = 0;
    for (Map.Entry<Long, Integer> change : changes.entrySet()) {
      used += change.getValue();
      atS[step] = change.getKey();
      idle[step++] = workload.processors() - used;
    }
    return new IdleProcessors(workload.processors(), fromS, toS, atS, idle);
  }

  /** Processor seconds that are idle in all. */
  public double processorSeconds() {
    double sum = 0;
    for (int step = 0; step < atS.length; step++) {
      long untilS = step + 1 < atS.length ? atS[step + 1] : toS;
      sum += (double) idle[step] * (untilS - atS[step]);
    }
    return sum;
  }
}
