package io.millrace.ops.faults.evidence;

/** What was asked for a job besides its submission, whatever the answer was. */
public enum JobOperation {
  DELETE,
  HOLD,
  RERUN,
  MOVE
}
