package io.millrace.ops.faults.scenario;

import io.millrace.ops.campaigns.BestEffortSite;
import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three partitions in three shards, each with a queue of local jobs and one of best effort for a
 * campaign. Local jobs need up to the whole node, and so have tasks ended.
 */
public final class BestEffortPartitions extends HomeScenario {

  private final long seed;
  private final List<String> more;

  public BestEffortPartitions(long seed) {
    this(seed, List.of());
  }

  /**
   * @param more arguments of {@code up}
   */
  public BestEffortPartitions(long seed, List<String> more) {
    this.seed = seed;
    this.more = List.copyOf(more);
  }

  @Override
  public List<String> bags() {
    return BestEffortSite.BEST_EFFORT;
  }

  /** Where each task has a job of its own, the last ones get replicas. */
  @Override
  public List<String> groupedBags() {
    return bags().subList(0, bags().size() - 1);
  }

  @Override
  public List<String> upArguments() {
    List<String> arguments = new ArrayList<>(BestEffortSite.upArguments());
    arguments.addAll(List.of("--apart-engine", "--heap", "server=512m"));
    arguments.addAll(more);
    return arguments;
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    OnePartition.allowRoot(client);
    for (String directive : BestEffortSite.directives()) {
      client.must("qmgr", "-c", directive);
    }
  }

  @Override
  public List<String> submit(JobPlan plan) {
    SplittableRandom random = new SplittableRandom(seed * 7919 + plan.number());
    List<String> queues = BestEffortSite.LOCAL;
    String queue = queues.get(random.nextInt(queues.size()));
    int cpus = 1 + random.nextInt(BestEffortSite.CPUS);
    return List.of("-q", queue, "-l", "select=1:ncpus=" + cpus);
  }

  @Override
  public String move(JobPlan plan) {
    return "";
  }

  @Override
  public void finish(CommandClient client) {
    // Nothing was changed, so there is nothing to undo.
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public String words() {
    return "three partitions, and a campaign that gives way in all of them";
  }

  @Override
  public void close() {
    // This scenario has no background activity.
  }
}
