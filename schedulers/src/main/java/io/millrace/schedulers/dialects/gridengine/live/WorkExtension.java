package io.millrace.schedulers.dialects.gridengine.live;

/**
 * How far runs go beyond the work that they are given. Each run begins with the most important job,
 * so with many jobs before it that cannot start, a job would never be looked at if all runs ended
 * at the same point: one that was cut is followed by one with twice the work, up to a bound, and
 * one that came to all jobs by one with half of it.
 */
final class WorkExtension {

  /** Times the work of a usual run; with the usual 20 ms this is little more than a second. */
  static final long MOST = 64;

  private long factor = 1;

  /** Work for the next run, if a usual one has so much. */
  long units(long usual) {
    return usual >= Long.MAX_VALUE / MOST ? Long.MAX_VALUE : usual * factor;
  }

  void ran(boolean cut) {
    factor = cut ? Math.min(2 * factor, MOST) : Math.max(factor / 2, 1);
  }
}
