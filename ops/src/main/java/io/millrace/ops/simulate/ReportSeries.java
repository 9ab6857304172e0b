package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceJob;
import java.util.Arrays;
import java.util.List;

/**
 * Curves of a schedule over time, as means over equal bins of [from, to).
 *
 * @param fromS beginning of the first bin, in seconds since the trace's start
 * @param toS end of the last bin
 */
record ReportSeries(long fromS, long toS, int bins) {

  /** Fraction of the processors in use. */
  double[] utilisation(Schedule schedule) {
    double[] curve = new double[bins];
    List<TraceJob> jobs = schedule.workload().jobs();
    double all = schedule.workload().processors();
    for (int i = 0; i < jobs.size(); i++) {
      add(curve, schedule.startS()[i], schedule.endS(i), jobs.get(i).processors() / all);
    }
    return curve;
  }

  /** Number of waiting jobs. */
  double[] waiting(Schedule schedule) {
    double[] curve = new double[bins];
    List<TraceJob> jobs = schedule.workload().jobs();
    for (int i = 0; i < jobs.size(); i++) {
      add(curve, jobs.get(i).submitS(), schedule.startS()[i], 1);
    }
    return curve;
  }

  double binS() {
    return (double) (toS - fromS) / bins;
  }

  private void add(double[] curve, long beginS, long endS, double weight) {
    double first = (beginS - fromS) / binS();
    double last = (endS - fromS) / binS();
    int from = Math.max(0, Math.min(bins - 1, (int) first));
    int to = Math.max(0, Math.min(bins - 1, (int) last));
    for (int bin = from; bin <= to; bin++) {
      double part = Math.min(last, bin + 1) - Math.max(first, bin);
      curve[bin] += weight * Math.max(0, part);
    }
  }

  /** Quantiles of the waiting times, for this number of equal parts. */
  static long[] waitQuantiles(Schedule schedule, int parts) {
    long[] waits = new long[schedule.startS().length];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = schedule.waitS(i);
    }
    Arrays.sort(waits);
    long[] quantiles = new long[parts + 1];
    for (int i = 0; i <= parts; i++) {
      quantiles[i] = waits[(int) ((long) (waits.length - 1) * i / parts)];
    }
    return quantiles;
  }
}
