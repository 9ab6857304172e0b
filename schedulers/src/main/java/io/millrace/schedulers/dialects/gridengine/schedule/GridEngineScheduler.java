package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import java.time.Instant;

/** Decides as Grid Engine does. Stateless: all that it knows comes with the call. */
public final class GridEngineScheduler {

  /** Line that begins a section of the file schedule. */
  public static final String SECTION_MARK = "::::::::";

  private GridEngineScheduler() {}

  /** One run at a time; whole seconds count. */
  public static Decisions decide(ClusterState state, Instant now) {
    return decide(state, now, Long.MAX_VALUE);
  }

  /**
   * A run that ends early when its units of work are used up: the jobs that it did not come to are
   * said so, and the next run begins with the most important job again.
   */
  public static Decisions decide(ClusterState state, Instant now, long units) {
    return new Run(state, now.getEpochSecond(), units).decide();
  }
}
