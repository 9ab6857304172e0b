package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import java.util.List;
import java.util.Map;

/**
 * What a run decided.
 *
 * @param starts tasks to start now, in the order of the decision
 * @param promises tasks that are promised a later start
 * @param waiting why each considered job that does not start waits, promised ones included, by its
 *     number
 * @param information messages about queues, which concern every job that waits
 * @param section the run's lines for the file schedule, without the line that begins a section;
 *     empty unless MONITOR is set
 * @param effort what the run cost
 */
public record Decisions(
    List<TaskDecision> starts,
    List<TaskDecision> promises,
    Map<Long, WaitingReasons> waiting,
    List<Reason> information,
    List<String> section,
    Effort effort) {

  /**
   * What a run cost.
   *
   * @param units of work: jobs considered, plus comparisons of a job with a queue instance
   * @param cut whether it ended before all jobs were looked at
   * @param profile what PROFILE reports; empty unless it is set
   */
  public record Effort(long units, boolean cut, String profile) {}

  /** Where and when one task runs, and which resources it takes. */
  public record TaskDecision(long job, int task, Assignment assignment, List<ResourceUse> uses) {}

  /**
   * Why a job waits.
   *
   * @param reason the decisive reason
   * @param details all findings about the job
   */
  public record WaitingReasons(Reason reason, List<Reason> details) {}
}
