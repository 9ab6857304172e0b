package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three partitions in three shards, each with a queue of local jobs and one of best effort for a
 * campaign. Local jobs need up to the whole node, and so have tasks ended.
 */
public final class BestEffortPartitions implements Scenario {

  private static final List<String> LOCAL = List.of("workq", "q1", "q2");
  private static final List<String> BEST_EFFORT = List.of("be0", "be1", "be2");
  private static final int CPUS = 8;

  private final long seed;

  public BestEffortPartitions(long seed) {
    this.seed = seed;
  }

  /** Queues of campaigns. */
  public static List<String> bestEffort() {
    return BEST_EFFORT;
  }

  @Override
  public List<String> upArguments() {
    return List.of(
        "--campaigns",
        "--apart-engine",
        "--executors",
        "" + LOCAL.size(),
        "--resources",
        "ncpus=" + CPUS,
        "--heap",
        "server=512m");
  }

  @Override
  public void prepare(CommandClient client, Installation installation)
      throws IOException, InterruptedException {
    OnePartition.allowRoot(client);
    String queue = " queue_type=Execution,started=True,enabled=True";
    String yields = queue + ",best_effort=True,kill_delay=";
    // One is told to end a second before it is killed.
    client.must("qmgr", "-c", "create queue " + BEST_EFFORT.get(0) + yields + "1");
    for (int i = 1; i < LOCAL.size(); i++) {
      String partition = ",partition=p" + i;
      for (String directive :
          List.of(
              "create sched s" + i,
              "set sched s" + i + " partition = p" + i,
              "set sched s" + i + " scheduling = True",
              "create queue " + LOCAL.get(i) + queue + partition,
              "create queue " + BEST_EFFORT.get(i) + yields + "0" + partition,
              "set node " + Installation.host(i + 1) + " partition = p" + i)) {
        client.must("qmgr", "-c", directive);
      }
    }
  }

  @Override
  public List<String> victims(Installation installation) {
    return installation.parts();
  }

  @Override
  public List<String> submit(JobPlan plan) {
    SplittableRandom random = new SplittableRandom(seed * 7919 + plan.number());
    String queue = LOCAL.get(random.nextInt(LOCAL.size()));
    return List.of("-q", queue, "-l", "select=1:ncpus=" + (1 + random.nextInt(CPUS)));
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
