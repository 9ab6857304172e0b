package io.millrace.connectors.local;

import java.util.regex.Pattern;

/**
 * One attempt to execute a job.
 *
 * @param jobId the job's identifier as users see it, such as {@code 12.vm} or {@code 12[3].vm}
 * @param run the number of the attempt, from 1
 */
public record RunId(String jobId, int run) {
  /** Job ids become file names, so nothing else is let through. */
  private static final Pattern JOB_ID =
      Pattern.compile("[0-9A-Za-z][0-9A-Za-z_\\[\\]-]*(\\.[0-9A-Za-z_-]+)*");

  private static final int LONGEST_JOB_ID = 200;

  public RunId {
    if (jobId.length() > LONGEST_JOB_ID || !JOB_ID.matcher(jobId).matches() || run < 0) {
      throw new IllegalArgumentException("illegally formed run: job " + jobId + ", run " + run);
    }
  }

  /** The name of the run's directory in the spool. */
  String directoryName() {
    return jobId + "." + run;
  }

  /**
   * Reads the name of a run directory.
   *
   * @throws IllegalArgumentException when it is not one
   */
  static RunId ofDirectoryName(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 1) {
      throw new IllegalArgumentException("not a run directory: " + name);
    }
    return new RunId(name.substring(0, dot), Integer.parseInt(name.substring(dot + 1)));
  }

  @Override
  public String toString() {
    return jobId + " run " + run;
  }
}
