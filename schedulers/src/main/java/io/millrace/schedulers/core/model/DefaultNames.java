package io.millrace.schedulers.core.model;

/** Names that hold where administrators name nothing. */
public final class DefaultNames {

  /** The scheduler object that serves queues and nodes without a partition. */
  public static final String SCHEDULER = "default";

  /** The partition of queues and nodes that are given to none. */
  public static final String PARTITION = "pbs-default";

  private DefaultNames() {}
}
