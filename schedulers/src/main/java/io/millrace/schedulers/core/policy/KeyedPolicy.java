package io.millrace.schedulers.core.policy;

/**
 * A policy whose jobs come in an order of several keys; promises and nodes are those of another
 * one.
 *
 * @param base what it has but for the order
 */
public record KeyedPolicy(Policy base, JobSequence sequence) implements Policy {

  @Override
  public String name() {
    return base.name();
  }

  @Override
  public JobOrder order() {
    return base.order();
  }

  @Override
  public JobOrder gapOrder() {
    return base.gapOrder();
  }

  @Override
  public int promiseDepth() {
    return base.promiseDepth();
  }

  @Override
  public boolean passes() {
    return base.passes();
  }

  @Override
  public boolean endsOneByOne() {
    return base.endsOneByOne();
  }

  @Override
  public NodeOrder nodeOrder() {
    return base.nodeOrder();
  }

  @Override
  public SiteRules site() {
    return new SiteRules(sequence, null, null, SiteRules.CycleBounds.NONE, false);
  }
}
