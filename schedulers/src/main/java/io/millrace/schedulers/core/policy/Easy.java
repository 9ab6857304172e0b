package io.millrace.schedulers.core.policy;

/** First come, first served, with a promise for the first job and the gaps before it filled. */
public final class Easy implements Policy {

  @Override
  public String name() {
    return "easy";
  }

  @Override
  public int promiseDepth() {
    return 1;
  }

  @Override
  public boolean endsOneByOne() {
    return true;
  }
}
