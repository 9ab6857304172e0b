package io.millrace.schedulers.core.policy;

/** First come, first served, with a promise for every job that waits. */
public final class Conservative implements Policy {

  @Override
  public String name() {
    return "conservative";
  }

  @Override
  public int promiseDepth() {
    return EVERY_JOB;
  }
}
