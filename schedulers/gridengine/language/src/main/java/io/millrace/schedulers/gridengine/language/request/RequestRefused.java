package io.millrace.schedulers.gridengine.language.request;

/** A request that cannot be taken, with Grid Engine's own words and exit code. */
public final class RequestRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Exit code of a job that a limit on numbers of jobs refuses. */
  public static final int TOO_MANY_JOBS = 25;

  private final int exitCode;

  /** Refused as a job: what qsub says after "Unable to run job: ". */
  public RequestRefused(String message) {
    this(message, 1);
  }

  /**
   * @param exitCode of the command that was given the request; 1 when the job is refused, another
   *     when its command line is
   */
  public RequestRefused(String message, int exitCode) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }

  /** The message that qsub prints. */
  public String printed() {
    boolean job = exitCode == 1 || exitCode == TOO_MANY_JOBS;
    return job ? "Unable to run job: " + getMessage() + "\nExiting." : getMessage();
  }
}
