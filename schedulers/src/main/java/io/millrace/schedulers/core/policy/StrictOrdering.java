package io.millrace.schedulers.core.policy;

/**
 * PBS's {@code strict_ordering}: jobs start in the order of their priority. The first {@code
 * backfill_depth} that cannot start get a promise, and others run only where they delay none of
 * these; with a depth of 0 nobody passes the first.
 *
 * @param backfillDepth number of promises, at least 0
 */
public record StrictOrdering(int backfillDepth) implements Policy {

  @Override
  public String name() {
    return "strict_ordering";
  }

  @Override
  public JobOrder order() {
    return JobOrder.PRIORITY;
  }

  @Override
  public int promiseDepth() {
    return backfillDepth;
  }

  @Override
  public boolean passes() {
    return backfillDepth > 0;
  }
}
