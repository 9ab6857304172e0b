package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import java.util.List;
import java.util.Optional;

/**
 * Where and when a task runs.
 *
 * @param start in seconds since 1970
 * @param duration in seconds, with the offset until its resources are free again
 * @param grants the first one is the master's
 */
public record Assignment(
    long start, long duration, Optional<ParallelEnvironment> environment, List<Grant> grants) {

  /** The same of a task that began at this time, in seconds since 1970. */
  public Assignment from(long beganS) {
    return new Assignment(beganS, duration, environment, grants);
  }

  public int slots() {
    return grants.stream().mapToInt(Grant::slots).sum();
  }
}
