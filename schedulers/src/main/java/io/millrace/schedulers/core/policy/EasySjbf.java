package io.millrace.schedulers.core.policy;

/** EASY whose gaps are filled with the shortest jobs first. */
public final class EasySjbf implements Policy {

  @Override
  public String name() {
    return "easy-sjbf";
  }

  @Override
  public int promiseDepth() {
    return 1;
  }

  @Override
  public boolean endsOneByOne() {
    return true;
  }

  @Override
  public JobOrder gapOrder() {
    return JobOrder.SHORTEST;
  }
}
