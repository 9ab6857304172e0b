package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.OutsideLimits;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;

/** Run limits of the server and of queues for the jobs of the Grid Engine dialect. */
final class LiveLimits implements OutsideLimits {

  private final LiveState state;
  private final LiveJobs jobs;
  private final LimitGate gate;

  LiveLimits(LiveState state, LimitGate gate) {
    this.state = state;
    this.jobs = state.jobs();
    this.gate = gate;
  }

  /**
   * Begins a run. Running jobs are counted by the shared limits already; added are proposed starts,
   * and suspended tasks, which in Grid Engine keep their resources and resume without being
   * checked.
   */
  void begin() {
    gate.begin();
    jobs.allTasks().stream()
        .filter(task -> task.stage == LiveTask.TaskStage.PROPOSED)
        .forEach(task -> gate.take(task.number, task.assignment.slots()));
    state.suspended().all().forEach(gate::take);
  }

  @Override
  public int slots(GridEngineJob job, int task, int most) {
    return gate.room(number(job, task), most);
  }

  @Override
  public Reason refusal(GridEngineJob job, int task, int slots) {
    return gate.reached(number(job, task), slots)
        .map(
            it ->
                Reason.of(
                    Reason.Code.LIMIT,
                    it.name(),
                    Long.toString(it.used()),
                    Long.toString(it.amount())))
        .orElseThrow();
  }

  @Override
  public void takes(GridEngineJob job, int task, int slots) {
    gate.take(number(job, task), slots);
  }

  private long number(GridEngineJob job, int task) {
    return jobs.job(job.number()).orElseThrow().tasks.get(task).number;
  }
}
