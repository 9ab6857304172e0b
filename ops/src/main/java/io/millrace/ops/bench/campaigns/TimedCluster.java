package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** A cluster whose jobs have one processor each and begin in the order in which they came. */
final class TimedCluster {

  /** Exit status of a run that was ended by SIGKILL, as PBS has it. */
  private static final int KILLED = 271;

  /** What is told of jobs, and when. */
  interface Notes {
    void tell(long atMs, NoteJob note);
  }

  /** A run, and whether it was ended before its time. */
  private static final class TimedRun {
    private final long beganMs;
    private boolean over;

    TimedRun(long beganMs) {
      this.beganMs = beganMs;
    }
  }

  private final String name;
  private final int shard;
  private final int processors;
  private final ToLongFunction<String> takesMs;
  private final Notes notes;
  private final Deque<String> waiting = new ArrayDeque<>();
  private final Map<String, TimedRun> running = new HashMap<>();
  private double ranMs;

  /**
   * @param shard its number, which is told with what becomes of its jobs
   * @param takesMs how long the job of a tag runs
   */
  TimedCluster(
      int shard, String name, int processors, ToLongFunction<String> takesMs, Notes notes) {
    this.shard = shard;
    this.name = name;
    this.processors = processors;
    this.takesMs = takesMs;
    this.notes = notes;
  }

  /** Processor time of all runs that are over, ms. */
  double ranMs() {
    return ranMs;
  }

  NoteCluster seen(long nowMs) {
    ClusterLoad load =
        new ClusterLoad(name, processors, processors - running.size(), false, "", 0L, "", 0.0, 0L);
    return new NoteCluster(load, nowMs, "", "");
  }

  private NoteJob note(String tag, JobChange change, long nowMs) {
    return new NoteJob(tag, change, tag, shard, 0, 0L, "", nowMs, "", false);
  }

  void submit(String tag, long nowMs) {
    notes.tell(nowMs, note(tag, JobChange.QUEUED, nowMs));
    waiting.add(tag);
    begin(nowMs);
  }

  private void begin(long nowMs) {
    while (running.size() < processors && !waiting.isEmpty()) {
      String tag = waiting.poll();
      running.put(tag, new TimedRun(nowMs));
      notes.tell(nowMs, note(tag, JobChange.STARTED, nowMs));
      long endMs = nowMs + takesMs.applyAsLong(tag);
      notes.tell(endMs, note(tag, JobChange.FINISHED, endMs));
    }
  }

  /** A job whose end is due; gives what is told of it, or null when it does not run here. */
  NoteJob end(NoteJob due, long nowMs) {
    TimedRun run = running.get(due.getTag());
    if (run == null || run.over && due.getExitStatus() != KILLED) {
      return null;
    }
    running.remove(due.getTag());
    ranMs += nowMs - run.beganMs;
    due.setRunMs(nowMs - run.beganMs);
    begin(nowMs);
    return due;
  }

  /**
   * Deletes a job, if it is here and not over.
   *
   * @param waiting whether only one that waits is deleted
   */
  void delete(String tag, boolean waiting, long nowMs) {
    if (this.waiting.remove(tag)) {
      notes.tell(nowMs, note(tag, JobChange.DELETED, nowMs));
    }
    TimedRun run = waiting ? null : running.get(tag);
    if (run != null && !run.over) {
      run.over = true;
      notes.tell(nowMs, note(tag, JobChange.KILLED, nowMs));
      NoteJob end = note(tag, JobChange.FINISHED, nowMs);
      end.setExitStatus(KILLED);
      notes.tell(nowMs, end);
    }
  }
}
