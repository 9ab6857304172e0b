package io.millrace.server.core.shard;

import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Naive engines: they take the first node that seems to fit and are wrong on purpose at times. */
final class EngineCalls {
  private static final List<String> SCHEDULERS = List.of("default", "es", "ws", "s0");

  private final Random random;
  private final TestShards shards;
  private long cycles;

  EngineCalls(Random random, TestShards shards) {
    this.random = random;
    this.shards = shards;
  }

  void start() {
    String scheduler = pick(SCHEDULERS);
    shards.send(
        random.nextInt(TestShards.COUNT),
        Calls.startEngine(shards.engine(scheduler), scheduler, random.nextInt(5) == 0));
  }

  /** Says something of an engine, which may have been replaced. */
  void note() {
    String scheduler = pick(SCHEDULERS);
    int shard = shards.shardOfScheduler(scheduler);
    if (shard >= 0) {
      EngineCondition condition = pick(List.of(EngineCondition.values()));
      long epoch = epoch(shard, scheduler);
      shards.send(
          shard,
          new NoteEngine(shards.engine(scheduler), scheduler, epoch, condition, "so it seems"));
    }
  }

  /**
   * @param waits a job about whose class something may be said
   */
  void recordCycle(String waits) {
    String scheduler = pick(SCHEDULERS);
    int shard = shards.shardOfScheduler(scheduler);
    if (shard < 0) {
      return;
    }
    Job job = random.nextInt(4) == 0 ? null : shards.job(waits);
    boolean limited = random.nextBoolean();
    ClassReason reason =
        ClassReason.newBuilder()
            .setClassKey(
                job == null ? "class" + random.nextInt(5) : RequestClass.ownKey(job.getSpec()))
            .setCode(limited ? "RUN_LIMIT" : "INSUFFICIENT_NODE")
            .setSubject(limited ? "max_run [u:PBS_GENERIC=1] of server" : "")
            .build();
    boolean clears = random.nextBoolean();
    shards.send(
        shard,
        RecordCycle.newBuilder()
            .setMeta(shards.engine(scheduler))
            .setScheduler(scheduler)
            .setEpoch(epoch(shard, scheduler))
            .setCycle(++cycles)
            .setWorkUnits(7)
            .setWorkLimitHit(false)
            .setReasons(clears ? List.of() : List.of(reason))
            .setCleared(clears ? List.of(reason.getClassKey()) : List.of())
            .build());
  }

  /** Proposes to stop a job, which may not run at all, for one that may not wait. */
  void preempt(String id, String forJob) {
    Job job = shards.job(id);
    int shard = shards.where(id);
    if (job == null || shard < 0) {
      return;
    }
    String scheduler = random.nextInt(20) == 0 ? pick(SCHEDULERS) : keeper(shard, job);
    String ways = pick(List.of("R", "SR", "D", "S", "RD", "E", "E", "E"));
    long epoch = epoch(shard, scheduler);
    shards.send(
        shard, new PreemptJob(shards.engine(scheduler), scheduler, epoch, id, forJob, ways));
  }

  /** Gives a job up that may not be: no job of a history has asked to start at once. */
  void reject(String id) {
    Job job = shards.job(id);
    int shard = shards.where(id);
    if (job == null || shard < 0) {
      return;
    }
    String scheduler = keeper(shard, job);
    long epoch = epoch(shard, scheduler);
    String why = "it could not start at once";
    shards.send(shard, new RejectJob(shards.engine(scheduler), scheduler, epoch, id, why));
  }

  /** The scheduler of the job's queue. */
  private String keeper(int shard, Job job) {
    Tables tables = shards.tables(shard);
    String partition =
        PartitionTable.partitionOf(PartitionTable.queue(tables, job.getSpec().getQueue()));
    return PartitionTable.schedulerOf(tables, partition);
  }

  private long epoch(int shard, String scheduler) {
    Scheduler state = shards.tables(shard).schedulers().get(scheduler);
    return (state == null ? 0 : state.getEpoch()) - (random.nextInt(20) == 0 ? 1 : 0);
  }

  /** Proposes to run one of the jobs, or something that makes no sense. */
  void propose(List<String> jobs) {
    for (String id : jobs) {
      int shard = shards.where(id);
      Job job = shards.job(id);
      boolean sensible = job != null && job.getStatus() == JobStatus.QUEUED;
      if (job == null || (!sensible && random.nextInt(30) > 0)) {
        continue;
      }
      Tables tables = shards.tables(shard);
      String partition =
          PartitionTable.partitionOf(PartitionTable.queue(tables, job.getSpec().getQueue()));
      String scheduler = PartitionTable.schedulerOf(tables, partition);
      if (random.nextInt(20) == 0) {
        scheduler = pick(SCHEDULERS);
      }
      List<NodeShare> shares = shares(tables, partition, job);
      CommandMeta meta = shards.engine(scheduler);
      meta.setReplyTo(random.nextBoolean() ? 0 : -1);
      if (shares.stream().anyMatch(s -> s.getNode().isEmpty()) && random.nextInt(10) > 0) {
        continue;
      }
      NodeShare[] array = shares.toArray(new NodeShare[0]);
      shards.send(shard, Calls.run(meta, scheduler, epoch(shard, scheduler), id, array));
      return;
    }
  }

  /**
   * Proposes to suspend the run of a job, or to resume it; now and then of the two the wrong one.
   */
  void suspendOrResume(String id) {
    int shard = shards.where(id);
    Job job = shards.job(id);
    if (job == null) {
      return;
    }
    Tables tables = shards.tables(shard);
    String partition =
        PartitionTable.partitionOf(PartitionTable.queue(tables, job.getSpec().getQueue()));
    String scheduler = PartitionTable.schedulerOf(tables, partition);
    long epoch = epoch(shard, scheduler);
    int run = job.getRun() - (random.nextInt(20) == 0 ? 1 : 0);
    boolean stands = job.getSuspension() != Suspension.NONE;
    CommandMeta meta = shards.engine(scheduler);
    shards.send(
        shard,
        stands == random.nextInt(10) > 0
            ? new ResumeRun(meta, scheduler, epoch, id, run)
            : new SuspendRun(meta, scheduler, epoch, id, run));
  }

  private List<NodeShare> shares(Tables tables, String partition, Job job) {
    List<NodeShare> shares = new ArrayList<>();
    Map<String, Map<String, Long>> taken = new HashMap<>();
    boolean anywhere = random.nextInt(15) == 0;
    for (Chunk chunk : job.getSpec().getRequest().getChunks()) {
      for (int i = 0; i < chunk.getCount(); i++) {
        shares.add(new NodeShare("", "", 1, new HashMap<>(chunk.getAmounts())));
        tables
            .nodes()
            .scan(
                "",
                null,
                (name, node) -> {
                  boolean fits = anywhere || fits(tables, partition, node, taken, chunk);
                  if (fits) {
                    shares.get(shares.size() - 1).setNode(name);
                    NodeAmounts.add(
                        taken.computeIfAbsent(name, n -> new HashMap<>()), chunk.getAmounts());
                  }
                  return !fits || (anywhere && random.nextBoolean());
                });
      }
    }
    spoil(shares);
    return shares;
  }

  private boolean fits(
      Tables tables,
      String partition,
      Node node,
      Map<String, Map<String, Long>> taken,
      Chunk chunk) {
    Map<String, Long> wanted = new HashMap<>(taken.getOrDefault(node.getName(), Map.of()));
    NodeAmounts.add(wanted, chunk.getAmounts());
    List<io.millrace.schemas.common.ClusterObject> custom = new ArrayList<>();
    tables.objects().scan("RESOURCE/", "RESOURCE0", (key, object) -> custom.add(object));
    var object = PartitionTable.node(tables, node.getName());
    return object != null
        && node.getUp()
        && PartitionTable.partitionOf(object).equals(partition)
        && NodeAmounts.fits(NodeAmounts.free(node, object, ResourceTable.of(custom)), wanted);
  }

  /** Makes a proposal wrong, one time in ten. */
  private void spoil(List<NodeShare> shares) {
    NodeShare first = shares.get(0);
    switch (random.nextInt(50)) {
      case 0 -> first.setNode("nowhere");
      case 1 -> first.setChunks(first.getChunks() + 1);
      case 2 -> first.setAmounts(Map.of("ncpus", 100L));
      case 3 -> {
        // Adds up to what was asked for, and would leave the node with more than it has.
        shares.add(new NodeShare(first.getNode(), "", 0, Map.of("ncpus", -2L)));
        shares.add(new NodeShare("n0", "", 0, Map.of("ncpus", 2L)));
      }
      case 4 -> shares.clear();
      default -> {}
    }
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
