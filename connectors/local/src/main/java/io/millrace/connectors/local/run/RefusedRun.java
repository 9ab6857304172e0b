package io.millrace.connectors.local.run;

/** A run cannot be carried out, and another try would not help. */
public final class RefusedRun extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** PBS's JOB_EXEC_FAILUID: nothing can run as its owner. */
  public static final int BAD_OWNER = -10;

  private final int exitStatus;

  /**
   * @param exitStatus PBS's for the cause, negative
   * @param why one line
   */
  public RefusedRun(int exitStatus, String why) {
    super(why);
    this.exitStatus = exitStatus;
  }

  public int exitStatus() {
    return exitStatus;
  }
}
