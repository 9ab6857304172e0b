package io.millrace.connectors.local.run;

/**
 * Output of a task that is small enough for the report of its end; of a run's script what it has
 * written down of its steps.
 *
 * @param output to its standard output
 * @param error to its standard error
 */
public record PrintedOutput(byte[] output, byte[] error) {
  /** More than this of both together is delivered into files beside the job's. */
  public static final int MAX = 16 * 1024;

  /** For a task that printed nothing, or whose output was delivered into files. */
  public static final PrintedOutput NOTHING = new PrintedOutput(new byte[0], new byte[0]);
}
