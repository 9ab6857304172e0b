package io.millrace.schedulers.dialects.gridengine.schedule;

import java.time.Instant;

/** Decides as Grid Engine does. Stateless: all that it knows comes with the call. */
public final class GridEngineScheduler {

  /** Line that begins a section of the file schedule. */
  public static final String SECTION_MARK = "::::::::";

  private GridEngineScheduler() {}

  /** One run at a time; whole seconds count. */
  public static Decisions decide(ClusterState state, Instant now) {
    return new Run(state, now.getEpochSecond()).decide();
  }
}
