package io.millrace.schedulers.simulator;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine of a trace as a Grid Engine knows it: one host with a queue and a parallel
 * environment, each with a slot for every processor. Jobs are submitted as by {@code qsub -R y -l
 * h_rt=ESTIMATE}, those of more than one processor with {@code -pe trace N}.
 */
final class GridEngineMachine {

  /** The attributes of a new cell's complex that a trace's jobs use, as qconf -sc prints them. */
  private static final String COMPLEX =
      """
      slots s    INT  <= YES YES 1     1000
      h_rt  h_rt TIME <= YES NO  0:0:0 0
      """;

  private static final String NAME = "trace";
  private static final String ENVIRONMENT = "pe_name %s\nslots %d\nallocation_rule $fill_up\n";
  private static final String QUEUE = "qname all.q\nhostlist machine\npe_list %s\nslots %d\n";

  private final Cluster cluster;
  private final long startEpochS;
  private final Map<String, Needs> needs = new HashMap<>();

  GridEngineMachine(Workload workload) {
    int slots = workload.processors();
    this.startEpochS = workload.startEpochS();
    this.cluster =
        new ClusterText(Complexes.parse(NAME, COMPLEX))
            .environment(NAME, String.format(ENVIRONMENT, NAME, slots))
            .queue(NAME, String.format(QUEUE, NAME, slots))
            .cluster();
  }

  Cluster cluster() {
    return cluster;
  }

  /** A trace job under this number; a lower number means an older job. */
  GridEngineJob job(long number, TraceJob job) {
    return new GridEngineJob(
        new GridEngineJob.Identity(number, "job" + job.id(), owner(number, job), ""),
        needs(job),
        true,
        new GridEngineJob.Urge(0, startEpochS + job.submitS(), 0),
        TaskRange.SINGLE,
        GridEngineJob.Behaviour.PLAIN);
  }

  /** A job without a known user gets a user of its own. */
  private static String owner(long number, TraceJob job) {
    return job.user() < 0 ? "unknown" + number : job.submitter().userName();
  }

  /** Jobs with equal requests share one object, since the dialect compares requests often. */
  private Needs needs(TraceJob job) {
    List<String> words = new ArrayList<>(List.of("-l", "h_rt=" + job.estimateS()));
    if (job.processors() > 1) {
      words.addAll(List.of("-pe", NAME, Integer.toString(job.processors())));
    }
    return needs.computeIfAbsent(
        String.join(" ", words), asked -> Submission.of(words).needs(cluster.complexes()));
  }
}
