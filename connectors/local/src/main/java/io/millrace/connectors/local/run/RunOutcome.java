package io.millrace.connectors.local.run;

/**
 * How a run ended.
 *
 * @param exitStatus PBS's Exit_status: 0-255 the program's own, 256 + n ended by signal n, negative
 *     for what the executor did (see {@link RunEndReason})
 * @param reason why
 * @param usage resources used
 * @param ncpus as requested
 * @param times when it started and ended
 * @param message what else is to be said, one line; empty when nothing is
 */
public record RunOutcome(
    int exitStatus,
    RunEndReason reason,
    RunUsage usage,
    int ncpus,
    StartAndEnd times,
    String message) {

  /** Milliseconds since 1970; 0 for a start that never was. */
  public record StartAndEnd(long startedMs, long endedMs) {}

  /** Why a run ended. */
  public enum RunEndReason {
    /** By itself. */
    EXITED,
    /** By a signal, whoever sent it. */
    SIGNALLED,
    /** Over its walltime limit: Exit_status -29, PBS's JOB_EXEC_KILL_WALLTIME. */
    WALLTIME,
    /** Over its limit of processor time: Exit_status -28, PBS's JOB_EXEC_KILL_CPUT. */
    CPUT,
    /** Used more memory than it asked for: Exit_status -27, PBS's JOB_EXEC_KILL_MEM. */
    MEM,
    /** Used more addresses than it asked for: Exit_status -26, PBS's JOB_EXEC_KILL_VMEM. */
    VMEM,
    /** Printed more than its queue or the server lets it: Exit_status -32. */
    OUTPUT,
    /** Deleted before it started: 271. */
    CANCELLED,
    /** Could not be started: -1 (JOB_EXEC_FAIL1), or -10 (JOB_EXEC_FAILUID) for a bad owner. */
    REFUSED,
    /** Its supervisor or the host died while it ran: -4, PBS's JOB_EXEC_INITABT. */
    LOST
  }
}
