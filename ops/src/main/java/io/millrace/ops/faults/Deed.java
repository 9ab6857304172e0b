package io.millrace.ops.faults;

/** What was asked for a job besides its submission, whatever the answer was. */
public enum Deed {
  DELETE,
  HOLD,
  RERUN,
  MOVE
}
