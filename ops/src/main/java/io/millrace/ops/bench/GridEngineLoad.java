package io.millrace.ops.bench;

import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.Submission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster in Grid Engine's words: hosts of four slots with one queue instance each, busy with
 * jobs of one slot, and a queue of jobs that cannot start.
 */
final class GridEngineLoad {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final int SLOTS = 4;
  private static final String COMPLEX =
      """
      slots    s   INT      <= YES YES 1    1000
      h_rt     h_rt TIME    <= YES NO  0    0
      hostname h   HOST     == YES NO  NONE 0
      license  lic INT      <= YES YES 0    10
      hmem     hm  MEMORY   <= YES YES 0    0
      """;

  private final Complexes complexes = Complexes.parse("complex", COMPLEX);
  private final OptionValues scheduler;
  private final Cluster cluster;
  private final List<RunningTask> running = new ArrayList<>();
  private final List<PendingJob> pending = new ArrayList<>();
  private long number;

  /**
   * @param busy number of busy slots out of the four of each host
   */
  GridEngineLoad(int hosts, int busy, int promises) {
    scheduler =
        SchedulerOptions.TABLE.parse(
            "sched", "max_reservation " + promises + "\nqueue_sort_method seqno\n");
    ClusterText text = new ClusterText(complexes);
    StringBuilder names = new StringBuilder();
    for (int host = 0; host < hosts; host++) {
      String name = String.format("n%05d", host);
      names.append(' ').append(name);
      text.host(name, "hostname " + name + "\ncomplex_values hmem=8G\n");
    }
    text.host("global", "hostname global\ncomplex_values license=" + hosts + "\n");
    text.environment("mpi", "pe_name mpi\nslots 100000\nallocation_rule $fill_up\n");
    text.queue("all.q", "qname all.q\nhostlist" + names + "\nslots " + SLOTS + "\npe_list mpi\n");
    cluster = text.cluster();
    fill(hosts * busy, busy);
  }

  /**
   * Fills the hosts with jobs that divide the memory evenly; what is left is too little for another
   * job.
   */
  private void fill(int tasks, int busy) {
    for (int i = 0; i < tasks; i++) {
      submit("-l hmem=" + 8_000 / busy + "M,h_rt=" + (600 + i * 37 % 86_400));
    }
    Decisions decisions = cycle();
    List<PendingJob> submitted = List.copyOf(pending);
    for (TaskDecision start : decisions.starts()) {
      GridEngineJob job = submitted.get((int) start.job() - 1).job();
      running.add(
          new RunningTask(job, start.task(), start.assignment(), RunningTask.Phase.RUNNING));
    }
    pending.clear();
  }

  /**
   * Jobs of more memory than any host has left, all with -R y, a third of them parallel.
   *
   * @param categories how many different requests there are
   */
  GridEngineLoad queue(int jobs, int categories) {
    for (int i = 0; i < jobs; i++) {
      int kind = i % categories;
      String request = "-R y -l hmem=" + (3 + kind % 5) + "G,h_rt=" + (1_800 + 7 * kind);
      submit(kind % 3 == 0 ? request + " -pe mpi " + (2 + kind % 16) : request);
    }
    return this;
  }

  private void submit(String options) {
    Submission submission = Submission.of(OptionLineWords.of(options));
    GridEngineJob job =
        new GridEngineJob(
            new GridEngineJob.Identity(++number, "j", "u", ""),
            submission.needs(complexes),
            submission.reserve(),
            new GridEngineJob.Urge(0, NOW.getEpochSecond(), 0),
            submission.tasks(),
            GridEngineJob.Behaviour.PLAIN);
    pending.add(new PendingJob(job, job.tasks().numbers()));
  }

  Decisions cycle() {
    return GridEngineScheduler.decide(new ClusterState(cluster, scheduler, running, pending), NOW);
  }
}
