package io.millrace.connectors.local.run;

import java.util.regex.Pattern;

/**
 * One attempt to execute a job, or a task that it has on this host beside its script.
 *
 * @param jobId the job's identifier as users see it, such as {@code 12.vm} or {@code 12[3].vm}
 * @param run the number of the attempt, from 1
 * @param task the number of the task, from 1; 0 for the script
 */
public record RunId(String jobId, int run, int task) {
  /** Job ids become file names, so nothing else is let through. */
  private static final Pattern JOB_ID =
      Pattern.compile("[0-9A-Za-z][0-9A-Za-z_\\[\\]-]*(\\.[0-9A-Za-z_-]+)*");

  private static final int LONGEST_JOB_ID = 200;

  public RunId {
    if (jobId.length() > LONGEST_JOB_ID
        || !JOB_ID.matcher(jobId).matches()
        || run < 0
        || task < 0) {
      throw new IllegalArgumentException("illegally formed run: job " + jobId + ", run " + run);
    }
  }

  /** The script of a run. */
  public RunId(String jobId, int run) {
    this(jobId, run, 0);
  }

  /** Whether it belongs to a later run of the same job. */
  public boolean follows(RunId other) {
    return run > other.run && jobId.equals(other.jobId);
  }

  /** The name of the run's directory in the spool: {@code 12.vm.1}, of a task {@code 12.vm.1-3}. */
  public String directoryName() {
    return jobId + "." + run + (task == 0 ? "" : "-" + task);
  }

  /**
   * Reads the name of a run directory.
   *
   * @throws IllegalArgumentException when it is not one
   */
  public static RunId ofDirectoryName(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 1) {
      throw new IllegalArgumentException("not a run directory: " + name);
    }
    String jobId = name.substring(0, dot);
    String[] numbers = name.substring(dot + 1).split("-", -1);
    int run = Integer.parseInt(numbers[0]);
    return numbers.length == 1
        ? new RunId(jobId, run)
        : new RunId(jobId, run, Integer.parseInt(numbers[1]));
  }

  @Override
  public String toString() {
    return jobId + " run " + run + (task == 0 ? "" : " task " + task);
  }
}
