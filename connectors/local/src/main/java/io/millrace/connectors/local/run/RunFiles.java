package io.millrace.connectors.local.run;

/**
 * Where a run's output goes.
 *
 * @param output Output_Path, {@code path} or {@code host:path}; a directory of this host gets
 *     {@code <jobid>.OU}
 * @param error Error_Path, likewise; a directory gets {@code <jobid>.ER}
 * @param join {@code n}, {@code oe} (all into the output file) or {@code eo} (all into the error
 *     file)
 * @param umask for the job and its files; PBS's default is 077
 * @param direct which of both the program writes where they belong, as letters o and e; the others
 *     are copied there after the run
 * @param staging what else comes and goes
 */
public record RunFiles(
    String output, String error, String join, int umask, String direct, Staging staging) {
  public static final int DEFAULT_UMASK = 0077;

  /** The files of a run that stages nothing. */
  public RunFiles(String output, String error, String join, int umask) {
    this(output, error, join, umask, "", Staging.NONE);
  }

  public RunFiles {
    if (!join.equals("n") && !join.equals("oe") && !join.equals("eo")) {
      throw new IllegalArgumentException("join is n, oe or eo, not " + join);
    }
  }
}
