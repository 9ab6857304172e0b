package io.millrace.schedulers.core;

import java.util.Collection;
import java.util.TreeMap;

/** Which runs there are, since when, and which of them somebody has ended: for preemption. */
final class RunBook {

  /** A run that is to end frees its nodes within so long, or is not reckoned with any more. */
  static final long PATIENCE_MS = 60_000;

  static final long NOT_KILLED = -1;

  /**
   * A run.
   *
   * @param startMs when it was granted
   * @param killedMs when somebody wanted it to end; {@link #NOT_KILLED} when nobody does
   */
  record Run(long number, long startMs, long killedMs) {

    /** True when it will be gone in a moment without anybody's doing. */
    boolean leaving(long nowMs) {
      return killedMs != NOT_KILLED && nowMs - killedMs < PATIENCE_MS;
    }

    /** True when it should have been gone by now. */
    boolean overdue(long nowMs) {
      return killedMs != NOT_KILLED && !leaving(nowMs);
    }
  }

  private final TreeMap<Long, Run> byJob = new TreeMap<>();
  private int killed;

  void add(long number, long startMs, long killedMs) {
    remove(number);
    byJob.put(number, new Run(number, startMs, killedMs));
    killed += killedMs == NOT_KILLED ? 0 : 1;
  }

  void killed(long number, long atMs) {
    Run run = byJob.get(number);
    if (run != null && run.killedMs == NOT_KILLED) {
      add(number, run.startMs, atMs);
    }
  }

  /** True for a run that somebody wants to end. */
  boolean killed(long number) {
    Run run = byJob.get(number);
    return run != null && run.killedMs != NOT_KILLED;
  }

  void remove(long number) {
    Run run = byJob.remove(number);
    if (run != null && run.killedMs != NOT_KILLED) {
      killed--;
    }
  }

  /** True when there are runs that are to end. */
  boolean anyKilled() {
    return killed > 0;
  }

  /** By job number. */
  Collection<Run> all() {
    return byJob.values();
  }
}
