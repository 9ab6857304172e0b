package io.millrace.connectors.bridge.system;

/** Why a job is over. */
public enum OutsideCause {
  /** Its program has ended by itself. */
  EXITED,
  /** A signal has ended its program. */
  SIGNALLED,
  TIME_LIMIT,
  MEMORY,
  NODE_LOST,
  /** Somebody has deleted it. */
  CANCELLED,
  /** Its script never began. */
  NOT_BEGUN,
  /**
   * Its wrapper found no place for its folder, or did not arrive whole: another try may go well.
   */
  WRAPPER_FAILED,
  /** The outside system did not want it. */
  REFUSED,
  /** It is over, and nobody knows how. */
  UNKNOWN
}
