package io.millrace.schedulers.core;

/** Units of work that a cycle has used: one for each class, node and event that was looked at. */
final class WorkCount {

  private long units;

  long units() {
    return units;
  }

  void add(long more) {
    units += more;
  }

  void restart() {
    units = 0;
  }
}
