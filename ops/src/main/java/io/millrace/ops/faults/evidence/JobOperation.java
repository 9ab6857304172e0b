package io.millrace.ops.faults.evidence;

/** An operation on a job after its submission, whether it succeeded or not. */
public enum JobOperation {
  DELETE,
  HOLD,
  RERUN,
  MOVE
}
