package io.millrace.connectors.bridge.cluster;

/** A cluster file cannot be used; the message says where and why. */
public final class ClusterFault extends Exception {
  private static final long serialVersionUID = 1L;

  public ClusterFault(String message) {
    super(message);
  }
}
