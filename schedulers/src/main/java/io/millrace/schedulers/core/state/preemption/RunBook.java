package io.millrace.schedulers.core.state.preemption;

import java.util.Collection;
import java.util.TreeMap;

/** Which runs there are, when they began, and which have been told to end; for preemption. */
public final class RunBook {

  /** A run that was told to end frees its nodes within this time, or is no longer counted on. */
  public static final long PATIENCE_MS = 60_000;

  public static final long NOT_KILLED = -1;

  /**
   * A run.
   *
   * @param startMs when it was granted, or began if that was told later
   * @param killedMs when it was told to end; {@link #NOT_KILLED} when it was not
   */
  public record RecordedRun(long number, long startMs, long killedMs) {

    /** True when the run was told to end and is expected to be gone in a moment. */
    public boolean leaving(long nowMs) {
      return killedMs != NOT_KILLED && nowMs - killedMs < PATIENCE_MS;
    }

    /** True when the run was told to end and should have been gone by now. */
    public boolean overdue(long nowMs) {
      return killedMs != NOT_KILLED && !leaving(nowMs);
    }
  }

  private final TreeMap<Long, RecordedRun> byJob = new TreeMap<>();
  private int killed;

  public void add(long number, long startMs, long killedMs) {
    remove(number);
    byJob.put(number, new RecordedRun(number, startMs, killedMs));
    killed += killedMs == NOT_KILLED ? 0 : 1;
  }

  /** A run has begun later than when it was granted. */
  public void began(long number, long atMs) {
    RecordedRun run = byJob.get(number);
    if (run != null) {
      add(number, atMs, run.killedMs);
    }
  }

  /**
   * When a run was granted, began or went on.
   *
   * @param otherwise for a run that is not here: of a start that is proposed
   */
  public long startMs(long number, long otherwise) {
    RecordedRun run = byJob.get(number);
    return run == null ? otherwise : run.startMs;
  }

  public void killed(long number, long atMs) {
    RecordedRun run = byJob.get(number);
    if (run != null && run.killedMs == NOT_KILLED) {
      add(number, run.startMs, atMs);
    }
  }

  /** True for a run that was told to end. */
  public boolean killed(long number) {
    RecordedRun run = byJob.get(number);
    return run != null && run.killedMs != NOT_KILLED;
  }

  void remove(long number) {
    RecordedRun run = byJob.remove(number);
    if (run != null && run.killedMs != NOT_KILLED) {
      killed--;
    }
  }

  /** True when any run was told to end. */
  public boolean anyKilled() {
    return killed > 0;
  }

  /** All runs, by job number. */
  public Collection<RecordedRun> all() {
    return byJob.values();
  }
}
