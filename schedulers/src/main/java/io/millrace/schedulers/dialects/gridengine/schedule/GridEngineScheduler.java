package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import java.time.Instant;

/** Schedules as Grid Engine does. Stateless: all input comes with the call. */
public final class GridEngineScheduler {

  /** Line that begins a section of the file schedule. */
  public static final String SECTION_MARK = "::::::::";

  private GridEngineScheduler() {}

  /** Performs one run; the time counts in whole seconds. */
  public static Decisions decide(ClusterState state, Instant now) {
    return decide(state, now, Long.MAX_VALUE);
  }

  /**
   * Performs a run that ends early when its units of work are used up. The decisions name the jobs
   * that it did not reach, and the next run begins with the most important job again.
   */
  public static Decisions decide(ClusterState state, Instant now, long units) {
    return new Run(state, now.getEpochSecond(), units).decide();
  }
}
