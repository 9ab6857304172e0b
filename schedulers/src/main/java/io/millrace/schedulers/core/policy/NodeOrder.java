package io.millrace.schedulers.core.policy;

/** The order in which nodes with room are taken. */
public enum NodeOrder {
  /** In the order of their names: jobs are packed on the first nodes. */
  BY_NAME
}
