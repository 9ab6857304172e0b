package io.millrace.server.core.shard;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.StartAction;
import io.millrace.server.core.placement.NodeRoom;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;

/**
 * What takes several steps of several people, one after the other, and would seldom come about by
 * chance: a reservation over a run, which gives way; a run that begins late before a reservation; a
 * reservation that begins, ends and comes again. What the rest of the history has brought about by
 * then may be in the way at each step.
 */
final class ReservationScenes {
  private static final Map<String, String> QUEUES =
      Map.of("pbs-default", "workq", "peast", "east", "pwest", "west");
  private static final int SECOND_MS = 1000;
  private static final int WALLTIME_S = 100;
  private static final long NODE_CPUS = 4;

  private final Random random;
  private final TestShards shards;
  private final Executors executors;

  ReservationScenes(Random random, TestShards shards, Executors executors) {
    this.random = random;
    this.shards = shards;
    this.executors = executors;
  }

  /** Where a scene plays. */
  private record Stage(int shard, String partition, String scheduler, String node) {}

  void play() {
    String partition = List.copyOf(new java.util.TreeSet<>(QUEUES.keySet())).get(random.nextInt(3));
    int kind = random.nextInt(5);
    Stage stage = stage(partition);
    if (stage == null) {
      return;
    }
    if (kind == 0) {
      comesAgain(stage);
    } else {
      over(stage, kind < 3);
    }
  }

  /** A node of which nothing is booked, in a shard that is there; null for none. */
  private Stage stage(String partition) {
    String scheduler = PartitionTable.schedulerOf(shards.tables(0), partition);
    int shard = scheduler.isEmpty() ? -1 : shards.shardOfScheduler(scheduler);
    if (shard < 0 || shards.silent(shard) || shards.brokerAheadMs != 0) {
      return null;
    }
    shards.run();
    Tables tables = shards.tables(shard);
    List<String> nodes = new ArrayList<>();
    for (Object record : WatchedTable.of(tables, "nodes").records().values()) {
      Node node = (Node) record;
      ClusterObject object = PartitionTable.node(tables, node.getName());
      boolean there =
          object != null
              && PartitionTable.partitionOf(object).equals(partition)
              && NodeRoom.usable(node, object)
              && !tables.bookings().any(node.getName());
      if (there) {
        nodes.add(node.getName());
      }
    }
    return nodes.isEmpty() ? null : new Stage(shard, partition, scheduler, nodes.get(0));
  }

  /**
   * A run, and a reservation of all of its node.
   *
   * @param late whether the reservation is to begin when the run would end, which begins late
   */
  private void over(Stage stage, boolean late) {
    NewJob wish =
        Calls.job(
            "ann", QUEUES.get(stage.partition), Calls.request("", cpus(1 + random.nextInt(2))));
    wish.getSpec().setRerunnable(random.nextInt(4) > 0);
    wish.getSpec().getRequest().setWalltimeS(late || random.nextBoolean() ? WALLTIME_S : -1L);
    CommandMeta user = manager();
    Reply reply = ask(stage.shard, user, Calls.submit(user, List.of(), wish));
    Job job = reply == null || reply.getCode() != 0 ? null : shards.job(reply.getLines().get(0));
    if (job == null) {
      return;
    }
    long ncpus = wish.getSpec().getRequest().getChunks().get(0).getAmounts().get("ncpus");
    CommandMeta engine = shards.engine(stage.scheduler);
    shards.send(
        stage.shard,
        Calls.run(
            engine, stage.scheduler, epoch(stage), job.getId(), Calls.share(stage.node, 1, ncpus)));
    shards.run();
    job = shards.job(job.getId());
    if (job == null || job.getStatus() != JobStatus.RUNNING) {
      return;
    }
    if (!late) {
      executors.begin(job.getId());
    }
    long startMs =
        late
            ? job.getStartedMs() + WALLTIME_S * SECOND_MS
            : shards.nowMs + random.nextInt(60 * SECOND_MS);
    ReservationSpec spec = spec(stage, startMs, startMs + 1000 + random.nextInt(60 * SECOND_MS));
    spec.setOthers(late && random.nextBoolean() ? null : new OthersAtStart(StartAction.WAIT, 0L));
    reserve(stage, spec);
    if (late) {
      shards.nowMs += SECOND_MS + random.nextInt(90 * SECOND_MS);
      executors.begin(job.getId());
      shards.run();
    }
    if (random.nextInt(4) > 0) {
      shards.pass(Math.max(0, startMs - shards.nowMs) + random.nextInt(30 * SECOND_MS));
    }
  }

  private void comesAgain(Stage stage) {
    long startMs = shards.nowMs + random.nextInt(10 * SECOND_MS);
    ReservationSpec spec = spec(stage, startMs, startMs + 20 * SECOND_MS);
    spec.setRule("FREQ=MINUTELY");
    spec.setLaterMs(List.of(startMs + 60 * SECOND_MS, startMs + 120 * SECOND_MS));
    reserve(stage, spec);
    shards.pass(random.nextInt(100 * SECOND_MS));
  }

  private ReservationSpec spec(Stage stage, long startMs, long endMs) {
    return ReservationCalls.spec("ann", stage.partition, startMs, endMs, "", cpus(NODE_CPUS));
  }

  private static Chunk cpus(long ncpus) {
    return new Chunk(1, Map.of("ncpus", ncpus), Map.of());
  }

  /** Asks for one, and the engine finds the node for it. */
  private void reserve(Stage stage, ReservationSpec spec) {
    CommandMeta user = manager();
    ask(stage.shard, user, ReservationCalls.submit(user, spec, 0));
    Reservation last = null;
    for (Reservation one : ReservationCalls.all(shards.tables(stage.shard))) {
      boolean its = one.getShares().isEmpty() && one.getSpec().getStartMs() == spec.getStartMs();
      last = its ? one : last;
    }
    if (last != null) {
      shards.send(
          stage.shard,
          ReservationCalls.confirm(
              shards.engine(stage.scheduler),
              epoch(stage),
              stage.scheduler,
              last,
              List.of(Calls.share(stage.node, 1, NODE_CPUS))));
      shards.run();
    }
  }

  private CommandMeta manager() {
    return shards.calls.meta("ann", Role.MANAGER, shards.nowMs);
  }

  private Reply ask(int shard, CommandMeta meta, SpecificRecord command) {
    shards.send(shard, command);
    shards.run();
    List<Reply> replies = shards.replies(meta);
    return replies.isEmpty() ? null : replies.get(replies.size() - 1);
  }

  private long epoch(Stage stage) {
    Scheduler known = shards.tables(stage.shard).schedulers().get(stage.scheduler);
    return known == null ? 0 : known.getEpoch();
  }
}
