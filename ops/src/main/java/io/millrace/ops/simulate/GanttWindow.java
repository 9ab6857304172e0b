package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Schedule;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The stretch of time that a drawing of jobs shows, in seconds since the trace's start: all of it,
 * or around the longest queue when there are more jobs than an eye can tell apart.
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
