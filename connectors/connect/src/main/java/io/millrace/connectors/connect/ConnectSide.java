package io.millrace.connectors.connect;

/** Which of the two connectors. */
public enum ConnectSide {
  /** Shows what a cluster has. */
  SOURCE,
  /** Carries out runs there. */
  SINK
}
