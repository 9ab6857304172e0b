package io.millrace.schedulers.core.policy;

/**
 * What a scheduler wants. Immutable.
 *
 * <p>Simple semantics: take the waiting jobs in {@link #order}. Start what fits without delaying a
 * promise. The first {@link #promiseDepth} jobs that do not fit get a promise: the earliest time
 * and place at which they can start by what is known of the ends of runs. When the depth is used
 * up, all others are tried in {@link #gapOrder}; or, when nobody {@link #passes}, none.
 */
public interface Policy {

  /** Promise depth of a policy that makes a promise to every job. */
  int EVERY_JOB = Integer.MAX_VALUE;

  /** Name under which it is chosen and recorded. */
  String name();

  /** Order in which jobs start and get promises. */
  default JobOrder order() {
    return JobOrder.SUBMISSION;
  }

  /** Order in which jobs behind the promises are tried. */
  default JobOrder gapOrder() {
    return order();
  }

  /** Number of promises that a cycle makes; 0 for none. */
  default int promiseDepth() {
    return 0;
  }

  /** How many of them are for jobs of queues that have no number of their own. */
  default int depthOfOthers() {
    return promiseDepth();
  }

  /** False when no job may start before one that comes earlier in the order. */
  default boolean passes() {
    return true;
  }

  /**
   * True when of the runs that end in the instant in which a promise begins only those count that
   * it needs, the smaller first: the others leave no room for jobs that run on beyond it.
   *
   * <p>EASY as published goes through the expected ends one after another until the first job fits,
   * and what has come together by then is all that others may use. It matters where times are whole
   * seconds and users round their estimates, as in traces: with all ends of the instant counted the
   * mean slowdown differs by 4 to 6 %.
   */
  default boolean endsOneByOne() {
    return false;
  }

  /** The policy that holds at a time, where it differs by the time of day. */
  default Policy at(long nowMs) {
    return this;
  }

  /** Why nothing starts, one line; empty for a policy that can be obeyed. */
  default String problem() {
    return "";
  }

  /** Whether running jobs may be stopped for others, where the scheduler object allows it. */
  default boolean preempts() {
    return true;
  }

  /** What the site's own policy says; null for a policy that says no more than this interface. */
  default SiteRules site() {
    return null;
  }

  /** Order in which nodes with room are taken. */
  default NodeOrder nodeOrder() {
    return NodeOrder.BY_NAME;
  }
}
