package io.millrace.schemas.pbs;

/** Exit statuses that PBS shows when no program has given one. */
public final class ExitStatus {
  /** Exit status of a job that was deleted: 256 + SIGTERM. */
  public static final int TERMINATED = 271;

  /**
   * PBS's JOB_EXEC_FAIL1: the executor could not start the run, and another try would end likewise.
   */
  public static final int NOT_STARTED = -1;

  /** PBS's JOB_EXEC_RETRY: the executor could not start the run; another try may succeed. */
  public static final int START_FAILED = -3;

  /** PBS's JOB_EXEC_INITABT: the host does not know the run. */
  public static final int UNKNOWN = -4;

  /**
   * PBS's JOB_EXEC_RERUN: the run was ended so that the job runs again, or because its host went
   * down.
   */
  public static final int RERUN = -11;

  /** PBS's JOB_EXEC_RERUN_MS_FAIL: the node on which the run began is lost. */
  public static final int NODE_FAILED = -20;

  /** The files of -W stagein could not be copied. PBS has no exit status for this. */
  public static final int STAGE_IN_FAILED = -31;

  /** The run printed more than its queue or the server lets it. PBS has no such bound. */
  public static final int OUTPUT_EXCEEDED = -32;

  /** The run of a best-effort queue was ended for another job. PBS has no such queues. */
  public static final int PREEMPTED = -33;

  private ExitStatus() {}
}
