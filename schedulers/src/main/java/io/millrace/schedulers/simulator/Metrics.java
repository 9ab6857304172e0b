package io.millrace.schedulers.simulator;

import java.util.List;

/**
 * The field's measures of a schedule.
 *
 * @param jobs number of jobs
 * @param boundedSlowdownMean mean over the jobs of max((wait + run) / max(run, 10 s), 1)
 * @param waitMeanS mean time from submission to start
 * @param utilisation part of the processors that were in use from the first submission to the last
 *     end
 * @param makespanS from the first submission to the last end
 */
public record Metrics(
    int jobs, double boundedSlowdownMean, double waitMeanS, double utilisation, long makespanS) {

  /**
   * Shorter jobs count as if they ran this long, since a wait of seconds hurts no job of a second.
   */
  public static final long BOUND_S = 10;

  /** Measures a schedule of at least one job. */
  public static Metrics of(Schedule schedule) {
    List<TraceJob> jobs = schedule.workload().jobs();
    double slowdowns = 0;
    double waits = 0;
    double work = 0;
    long firstS = Long.MAX_VALUE;
    long lastS = Long.MIN_VALUE;
    for (int i = 0; i < jobs.size(); i++) {
      TraceJob job = jobs.get(i);
      slowdowns += boundedSlowdown(schedule.waitS(i), job.runS());
      waits += schedule.waitS(i);
      work += (double) job.processors() * job.runS();
      firstS = Math.min(firstS, job.submitS());
      lastS = Math.max(lastS, schedule.endS(i));
    }
    long makespanS = lastS - firstS;
    return new Metrics(
        jobs.size(),
        slowdowns / jobs.size(),
        waits / jobs.size(),
        work / ((double) schedule.workload().processors() * makespanS),
        makespanS);
  }

  public static double boundedSlowdown(long waitS, long runS) {
    return Math.max((double) (waitS + runS) / Math.max(runS, BOUND_S), 1);
  }
}
