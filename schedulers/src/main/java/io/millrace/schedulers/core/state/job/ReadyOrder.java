package io.millrace.schedulers.core.state.job;

/**
 * The order in which waiting jobs are considered: a total one, since no two jobs have the same
 * rank. What decides between two jobs is known to the order alone. Jobs are given by their class
 * and their slot in the {@link JobSlots}.
 */
public interface ReadyOrder {

  /** True when a job of one class comes before a job of another one, or of the same. */
  boolean before(ClassState a, int slot, ClassState b, int other);

  /** True when the first waiting job of one class comes before that of another. */
  default boolean firstBefore(ClassState a, ClassState b) {
    return before(a, a.waiting().first(), b, b.waiting().first());
  }

  /** The first waiting job of a class has changed or moved. */
  default void firstChanged(ClassState owner) {}
}
