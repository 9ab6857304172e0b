package io.millrace.connectors.bridge.system;

/** What can be done to an outside job. */
public enum OutsideAction {
  HOLD,
  RELEASE,
  SUSPEND,
  RESUME,
  DELETE
}
