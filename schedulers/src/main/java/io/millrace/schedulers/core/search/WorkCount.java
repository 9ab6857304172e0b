package io.millrace.schedulers.core.search;

/** Units of work that a cycle has used: one for each class, node and event that was looked at. */
public final class WorkCount {

  private long units;

  public long units() {
    return units;
  }

  public void add(long more) {
    units += more;
  }

  void restart() {
    units = 0;
  }
}
