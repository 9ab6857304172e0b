package io.millrace.schedulers.core.policy;

/** First come, first served: nobody passes the first job, however long it waits. */
public final class Fifo implements Policy {

  @Override
  public String name() {
    return "fifo";
  }

  @Override
  public boolean passes() {
    return false;
  }
}
