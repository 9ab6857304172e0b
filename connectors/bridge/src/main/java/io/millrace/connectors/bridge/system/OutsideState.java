package io.millrace.connectors.bridge.system;

/** What a job does, in words that all outside systems share. */
public enum OutsideState {
  WAITING,
  HELD,
  RUNNING,
  SUSPENDED,
  /** It is on its way out: processes may still live. */
  ENDING,
  /** The outside system says that it is over. */
  ENDED;

  /** Whether the job has yet to begin. */
  public boolean isYetToBegin() {
    return this == WAITING || this == HELD;
  }
}
