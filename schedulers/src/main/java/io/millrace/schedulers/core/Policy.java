package io.millrace.schedulers.core;

/** The order in which waiting jobs are tried. Implementations are immutable and total orders. */
public interface Policy {

  /** Name under which it is recorded. */
  String name();

  /**
   * True when the first job is to be tried before the second.
   *
   * @param rank place in the order of submission; no two jobs of a shard have the same
   */
  boolean before(int priority, long rank, int otherPriority, long otherRank);
}
