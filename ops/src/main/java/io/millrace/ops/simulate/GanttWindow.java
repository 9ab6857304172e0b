package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Schedule;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Time span shown in a Gantt chart, in seconds since the trace's start: the whole trace, or the
 * time around the longest queue when there are too many jobs to tell apart.
 */
record GanttWindow(long fromS, long toS) {

  private static final int JOBS_MAX = 3000;

  /**
   * @param series the whole time in bins
   * @param waiting number of waiting jobs in each bin under the same schedule
   */
  static GanttWindow of(Schedule schedule, ReportSeries series, double[] waiting) {
    long[] starts = schedule.startS().clone();
    if (starts.length <= JOBS_MAX) {
      return new GanttWindow(series.fromS(), series.toS());
    }
    Arrays.sort(starts);
    int fullest =
        IntStream.range(0, waiting.length).reduce(0, (a, b) -> waiting[b] > waiting[a] ? b : a);
    long middleS = series.fromS() + (long) (series.binS() * (fullest + 0.5));
    int at = Arrays.binarySearch(starts, middleS);
    int middle = at < 0 ? -at - 1 : at;
    int first = Math.max(0, Math.min(starts.length - JOBS_MAX, middle - JOBS_MAX / 2));
    return new GanttWindow(starts[first], starts[first + JOBS_MAX - 1] + 1);
  }

  boolean shows(Schedule schedule, int job) {
    return schedule.startS()[job] < toS && schedule.endS(job) > fromS;
  }
}
