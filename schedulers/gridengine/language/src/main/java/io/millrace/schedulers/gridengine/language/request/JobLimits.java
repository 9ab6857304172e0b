package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.options.CellOptions;
import io.millrace.schedulers.gridengine.language.options.OptionValues;

/**
 * How many jobs and tasks a cell takes; 0 for any number.
 *
 * @param instances tasks of one array that run at once
 * @param tasks tasks of one array
 * @param perUser jobs of one user
 * @param all jobs
 */
public record JobLimits(int instances, int tasks, int perUser, int all) {

  /** Limits of a cell that configures none. */
  public static final JobLimits USUAL = of(CellOptions.TABLE.usual());

  public static JobLimits of(OptionValues cell) {
    return new JobLimits(
        (int) cell.number("max_aj_instances"),
        (int) cell.number("max_aj_tasks"),
        (int) cell.number("max_u_jobs"),
        (int) cell.number("max_jobs"));
  }

  /** A copy with at most this many tasks in an array. */
  public JobLimits within(int most) {
    return new JobLimits(instances, tasks == 0 ? most : Math.min(tasks, most), perUser, all);
  }

  /** The job with -tc lowered to the cell's limit, if it asks for more. */
  public GridEngineJob limited(GridEngineJob job) {
    GridEngineJob.Behaviour asked = job.behaviour();
    boolean free = asked.concurrent() == 0 || asked.concurrent() > instances;
    return instances == 0 || !free
        ? job
        : new GridEngineJob(
            job.identity(),
            job.needs(),
            job.reserve(),
            job.urge(),
            job.tasks(),
            new GridEngineJob.Behaviour(
                asked.immediate(), asked.waits(), instances, asked.earliest_s()));
  }

  /**
   * @param array tasks of the submitted job
   * @param ofUser jobs that its user has already
   * @param ofAll jobs that the cell has already
   * @throws RequestRefused in Grid Engine's words
   */
  public void admit(long array, long ofUser, long ofAll) {
    if (tasks > 0 && array > tasks) {
      throw new RequestRefused(
          "job rejected: you tried to submit a job with more than " + tasks + " tasks");
    }
    if (perUser > 0 && ofUser >= perUser) {
      throw new RequestRefused(
          "job rejected: only "
              + perUser
              + " jobs are allowed per user (current job count: "
              + ofUser
              + ")",
          RequestRefused.TOO_MANY_JOBS);
    }
    if (all > 0 && ofAll >= all) {
      throw new RequestRefused(
          "job rejected: only " + all + " jobs are allowed per cluster",
          RequestRefused.TOO_MANY_JOBS);
    }
  }
}
