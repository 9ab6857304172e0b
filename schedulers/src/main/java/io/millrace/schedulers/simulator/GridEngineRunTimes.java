package io.millrace.schedulers.simulator;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.TreeSet;

/**
 * When a Grid Engine's scheduler runs, in seconds since the trace's start: at multiples of its
 * interval, and so long after submissions and ends as the settings say.
 *
 * <p>A run before which nothing was submitted, started or ended decides what the run before it
 * decided, so it is left out; unless the order of jobs changes as they wait.
 */
final class GridEngineRunTimes {

  static final long NEVER = Long.MAX_VALUE;

  private final long intervalS;
  private final long afterSubmissionS;
  private final long afterEndS;
  private final boolean each;
  private final TreeSet<Long> due = new TreeSet<>();

  /**
   * @param all true to keep the runs before which nothing has changed
   */
  GridEngineRunTimes(OptionValues scheduler, boolean all) {
    this.intervalS = scheduler.seconds("schedule_interval");
    this.afterSubmissionS = (long) scheduler.number("flush_submit_sec");
    this.afterEndS = (long) scheduler.number("flush_finish_sec");
    this.each = all || scheduler.number("weight_waiting_time") != 0;
  }

  void submitted(long atS) {
    changed(atS, afterSubmissionS);
  }

  void ended(long atS) {
    changed(atS, afterEndS);
  }

  private void changed(long atS, long flushS) {
    due.add(Math.floorDiv(atS + intervalS - 1, intervalS) * intervalS);
    if (flushS > 0) {
      due.add(atS + flushS);
    }
  }

  /** The next run; {@link #NEVER} when none is due. */
  long nextS() {
    return due.isEmpty() ? NEVER : due.first();
  }

  /**
   * Records that the next run has taken place.
   *
   * @param started whether it started anything
   * @param wait whether it left jobs waiting
   */
  void ran(boolean started, boolean wait) {
    long nowS = due.pollFirst();
    if (wait && (started || each)) {
      due.add((Math.floorDiv(nowS, intervalS) + 1) * intervalS);
    }
  }
}
