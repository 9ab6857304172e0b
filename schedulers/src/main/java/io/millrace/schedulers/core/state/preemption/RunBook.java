package io.millrace.schedulers.core.state.preemption;

import java.util.Collection;
import java.util.TreeMap;

/** Which runs there are, since when, and which of them somebody has ended: for preemption. */
public final class RunBook {

  /** A run that is to end frees its nodes within so long, or is not reckoned with any more. */
  public static final long PATIENCE_MS = 60_000;

  public static final long NOT_KILLED = -1;

  /**
   * A run.
   *
   * @param startMs when it was granted
   * @param killedMs when somebody wanted it to end; {@link #NOT_KILLED} when nobody does
   */
  public record Run(long number, long startMs, long killedMs) {

    /** True when it will be gone in a moment without anybody's doing. */
    public boolean leaving(long nowMs) {
      return killedMs != NOT_KILLED && nowMs - killedMs < PATIENCE_MS;
    }

    /** True when it should have been gone by now. */
    public boolean overdue(long nowMs) {
      return killedMs != NOT_KILLED && !leaving(nowMs);
    }
  }

  private final TreeMap<Long, Run> byJob = new TreeMap<>();
  private int killed;

  public void add(long number, long startMs, long killedMs) {
    remove(number);
    byJob.put(number, new Run(number, startMs, killedMs));
    killed += killedMs == NOT_KILLED ? 0 : 1;
  }

  public void killed(long number, long atMs) {
    Run run = byJob.get(number);
    if (run != null && run.killedMs == NOT_KILLED) {
      add(number, run.startMs, atMs);
    }
  }

  /** True for a run that somebody wants to end. */
  public boolean killed(long number) {
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
  public boolean anyKilled() {
    return killed > 0;
  }

  /** By job number. */
  public Collection<Run> all() {
    return byJob.values();
  }
}
