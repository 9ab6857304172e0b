package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three scheduler objects with their partitions in three shards: jobs move between their queues and
 * to one that refuses; a queue, a node and a partition wander. One of the schedulers has an engine
 * in a process of its own, which contends with the one beside the shard after each restart.
 */
public final class ThreePartitions extends HomeScenario {
  static final String WANDERING_QUEUE = "nomad";
  private static final String REFUSING_QUEUE = "closed";
  private static final List<String> QUEUES = List.of("workq", "q1", "q2", "q3", WANDERING_QUEUE);
  private static final int EXECUTORS = 4;

  private final long seed;
  private PartitionMoves moves;

  public ThreePartitions(long seed) {
    this.seed = seed;
  }

  /** Host name of the last executor, which is also the name of the node that is moved. */
  static String wanderingNode() {
    try {
      return Installation.host(EXECUTORS);
    } catch (IOException e) {
      throw new UncheckedIOException("this host has no name", e);
    }
  }

  @Override
  public List<String> upArguments() {
    return List.of(
        "--executors", "" + EXECUTORS, "--resources", "ncpus=16", "--heap", "server=512m");
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    OnePartition.allowRoot(client);
    for (String directive : objects()) {
      client.must("qmgr", "-c", directive);
    }
    installation().start(installation().addEngine("s1"));
    moves = new PartitionMoves(client, seed);
  }

  private static List<String> objects() throws IOException {
    String queue = " queue_type=Execution,started=True,partition=";
    return List.of(
        "create sched s1",
        "create sched s2",
        "set sched s1 partition = p1",
        "set sched s1 partition += p3",
        "set sched s2 partition = p2",
        "set sched s1 scheduling = True",
        "set sched s2 scheduling = True",
        "create queue q1" + queue + "p1,enabled=True",
        "create queue q2" + queue + "p2,enabled=True",
        "create queue q3" + queue + "p3,enabled=True",
        "create queue " + WANDERING_QUEUE + queue + "p1,enabled=True",
        "create queue " + REFUSING_QUEUE + queue + "p2,enabled=False",
        "set node " + Installation.host(2) + " partition = p1",
        "set node " + Installation.host(3) + " partition = p2",
        "set node " + wanderingNode() + " partition = p3");
  }

  @Override
  public List<String> submit(JobPlan plan) {
    return List.of("-q", QUEUES.get(random(plan).nextInt(QUEUES.size())));
  }

  /** Moves a third of the jobs, some of them to the queue that refuses all jobs. */
  @Override
  public String move(JobPlan plan) {
    SplittableRandom random = random(plan).split();
    return switch (random.nextInt(9)) {
      case 0, 1 -> QUEUES.get(random.nextInt(QUEUES.size()));
      case 2 -> REFUSING_QUEUE;
      default -> "";
    };
  }

  private SplittableRandom random(JobPlan plan) {
    return new SplittableRandom(seed * 7919 + plan.number());
  }

  @Override
  public void finish(CommandClient client) throws IOException, InterruptedException {
    moves.settle();
  }

  @Override
  public List<String> notes() {
    return moves.refusals();
  }

  @Override
  public String words() {
    return "three partitions in three shards, and what wanders between them";
  }

  @Override
  public void close() {
    if (moves != null) {
      moves.close();
    }
  }
}
