package io.millrace.schedulers.dialects.gridengine.live;

/**
 * Stretches the work limit of runs. Each run begins with the most important job, so with many jobs
 * before it that cannot start, the jobs behind them would never be reached if all runs ended at the
 * same point. So after a run that was cut short the next gets twice the work, up to a bound, and
 * after a run that reached all jobs half of it.
 */
final class WorkExtension {

  /** Largest factor; with the usual 20 ms it means little more than a second. */
  static final long MOST = 64;

  private long factor = 1;

  /** Work limit of the next run, given that of a usual run. */
  long units(long usual) {
    return usual >= Long.MAX_VALUE / MOST ? Long.MAX_VALUE : usual * factor;
  }

  void ran(boolean cut) {
    factor = cut ? Math.min(2 * factor, MOST) : Math.max(factor / 2, 1);
  }
}
