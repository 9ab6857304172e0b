package io.millrace.schedulers.core.model;

/**
 * Names of the scheduler object and the partition that exist without an administrator naming them.
 */
public final class DefaultNames {

  /** The scheduler object that serves queues and nodes without a partition. */
  public static final String SCHEDULER = "default";

  /** The partition of queues and nodes that were assigned to no other. */
  public static final String PARTITION = "pbs-default";

  private DefaultNames() {}
}
