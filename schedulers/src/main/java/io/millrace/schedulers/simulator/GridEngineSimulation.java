package io.millrace.schedulers.simulator;

import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Replays a workload with the runs of the Grid Engine dialect. */
final class GridEngineSimulation {

  private static final String INFORMATION = "schedd_job_info";

  private final Workload workload;
  private final OptionValues scheduler;
  private final GridEngineMachine machine;
  private final GridEngineRunTimes runs;
  private final Map<Long, PendingJob> pending = new LinkedHashMap<>();
  private final Map<Long, RunningTask> running = new LinkedHashMap<>();
  private final EndQueue ends = new EndQueue();
  private final long[] startS;
  private int submitted;
  private int started;

  private GridEngineSimulation(Workload workload, OptionValues scheduler, boolean everyRun) {
    this.workload = workload;
    // Waiting reasons are not needed here.
    this.scheduler = scheduler.with(INFORMATION, "false");
    this.machine = new GridEngineMachine(workload);
    this.runs = new GridEngineRunTimes(scheduler, everyRun);
    this.startS = new long[workload.jobs().size()];
  }

  /** Settings of a new cell, except that a run may promise starts to 20 jobs. */
  static OptionValues usual() {
    return SchedulerOptions.TABLE.usual().with("max_reservation", "20");
  }

  /**
   * @param everyRun whether runs before which nothing has changed take place too
   * @throws IllegalStateException when jobs are left that no event will start any more
   */
  static Schedule run(
      Workload workload, OptionValues scheduler, boolean everyRun, Simulation.Progress progress) {
    GridEngineSimulation simulation = new GridEngineSimulation(workload, scheduler, everyRun);
    simulation.run(progress);
    return new Schedule(workload, simulation.startS);
  }

  private void run(Simulation.Progress progress) {
    List<TraceJob> jobs = workload.jobs();
    while (started < jobs.size()) {
      long submissionS = submitted < jobs.size() ? jobs.get(submitted).submitS() : EndQueue.NEVER;
      long runS = runs.nextS();
      if (Math.min(submissionS, ends.nextS()) > runS) {
        decide(runS);
        progress.at(submitted, jobs.size());
      } else if (ends.nextS() <= submissionS && ends.nextS() != EndQueue.NEVER) {
        runs.ended(ends.nextS());
        running.remove(number(ends.poll()));
      } else if (submissionS != EndQueue.NEVER) {
        runs.submitted(submissionS);
        submit(submitted++);
      } else {
        throw new IllegalStateException(
            (jobs.size() - started) + " jobs are left that nothing will start");
      }
    }
  }

  private static long number(int index) {
    return index + 1L;
  }

  private void submit(int index) {
    long number = number(index);
    pending.put(
        number, new PendingJob(machine.job(number, workload.jobs().get(index)), List.of(1)));
  }

  private void decide(long nowS) {
    Instant now = Instant.ofEpochSecond(workload.startEpochS() + nowS);
    int before = started;
    if (!pending.isEmpty()) {
      Decisions decisions = GridEngineScheduler.decide(state(), now);
      decisions.starts().forEach(start -> start(start, nowS));
    }
    runs.ran(started > before, !pending.isEmpty());
  }

  private ClusterState state() {
    return new ClusterState(
        machine.cluster(), scheduler, List.copyOf(running.values()), List.copyOf(pending.values()));
  }

  private void start(TaskDecision start, long nowS) {
    PendingJob job = pending.remove(start.job());
    running.put(
        start.job(),
        new RunningTask(job.job(), start.task(), start.assignment(), RunningTask.Phase.RUNNING));
    int index = (int) (start.job() - 1);
    startS[index] = nowS;
    ends.add(index, nowS + workload.jobs().get(index).runS());
    started++;
  }
}
