package io.millrace.connectors.local;

/**
 * What a task printed, when it is so little that the report of its end takes it along.
 *
 * @param output to its standard output
 * @param error to its standard error
 */
public record Printed(byte[] output, byte[] error) {
  /** More than this of both together is delivered into files beside the job's. */
  public static final int MAX = 16 * 1024;

  /** Nothing, or it was delivered. */
  public static final Printed NOTHING = new Printed(new byte[0], new byte[0]);
}
