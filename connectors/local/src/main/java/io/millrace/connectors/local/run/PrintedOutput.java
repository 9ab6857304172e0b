package io.millrace.connectors.local.run;

/**
 * What a task printed, when it is so little that the report of its end takes it along.
 *
 * @param output to its standard output
 * @param error to its standard error
 */
public record PrintedOutput(byte[] output, byte[] error) {
  /** More than this of both together is delivered into files beside the job's. */
  public static final int MAX = 16 * 1024;

  /** Of a task that printed nothing, or whose output was delivered otherwise. */
  public static final PrintedOutput NOTHING = new PrintedOutput(new byte[0], new byte[0]);
}
