package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Result of a replayed session.
 *
 * @param begin_s the time of its first run, in seconds since 1970
 * @param sections lines of the file schedule, by run
 * @param jobs in the order in which they were submitted
 * @param profiles what PROFILE reported of each run, if it was set
 */
public record SessionOutcome(
    long begin_s, List<List<String>> sections, List<JobOutcome> jobs, List<String> profiles) {

  /**
   * @param reasons why it waited, by the seconds from the begin at which the reason changed
   */
  public record JobOutcome(
      GridEngineJob job,
      long arrival_s,
      Map<Integer, TaskOutcome> tasks,
      Map<Long, List<Reason>> reasons) {}

  /**
   * @param start when and where it started; empty when it never did
   * @param end_s seconds from the begin; 0 when it never started
   */
  public record TaskOutcome(Optional<SessionStart> start, long end_s, List<PromisedStart> plans) {}

  /** A task's start, in seconds from the begin, and what it took. */
  public record SessionStart(long at_s, Assignment assignment, List<ResourceUse> uses) {}

  /** A promised start that held from one run to another, both by number from 0. */
  public record PromisedStart(
      int firstRun, int lastRun, long start_s, long duration_s, List<ResourceUse> uses) {

    boolean continues(PromisedStart other, int run) {
      return lastRun == run - 1
          && start_s == other.start_s
          && duration_s == other.duration_s
          && uses.equals(other.uses);
    }

    PromisedStart until(int run) {
      return new PromisedStart(firstRun, run, start_s, duration_s, uses);
    }
  }
}
