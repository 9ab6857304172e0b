package io.millrace.server.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever runs are proposed, end and move in three shards whose messages arrive when they like,
 * and whichever shard is away for a while: runs never have more than the server has, and when all
 * have ended one scheduler can have the whole of it.
 */
class RunningAmountsPropertyTest {
  private static final int ACTS = 800;
  private static final int SEEDS = Boolean.getBoolean("millrace.night") ? 500 : 20;
  private static final int CPUS = 4;
  private static final Map<String, String> QUEUES =
      Map.of("east", "es", "west", "ws", "workq", "default");
  private static final Map<String, String> NODES =
      Map.of("east", "e0", "west", "w0", "workq", "n0");
  private static final List<String> NAMES = List.of("east", "west", "workq");

  private final TestShards shards = TestShards.threePartitions();
  private final Map<String, StartRun> open = new TreeMap<>();

  /** Submissions, with what their jobs ask for. */
  private final Map<CommandMeta, Integer> sent = new LinkedHashMap<>();

  private int seenOrders;
  private int granted;
  private int refused;
  private boolean moved;
  private Random random;
  private long limit;

  private long inUse() {
    long[] sum = {0};
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards
          .tables(shard)
          .queues()
          .scan(
              "",
              null,
              (name, queue) -> {
                sum[0] += queue.getAssigned().getOrDefault("ncpus", 0L);
                return true;
              });
    }
    return sum[0];
  }

  private void limit(long most) {
    limit = most;
    shards.post(
        0,
        Calls.change(
            shards.manager(),
            ChangeOperation.SET,
            ObjectKind.SERVER,
            "",
            "resources_available.ncpus=" + most));
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void submit() {
    int ncpus = 1 + random.nextInt(2);
    SubmitJobs command =
        Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", any(NAMES), ncpus));
    shards.post(random.nextInt(3), command);
    sent.put(command.getMeta(), ncpus);
  }

  private void propose() {
    CommandMeta command = any(List.copyOf(sent.keySet()));
    Reply reply = shards.answer(command);
    String job = reply == null || reply.getCode() != 0 ? "" : reply.getLines().get(0);
    if (job.isEmpty() || shards.where(job) < 0 || shards.status(job) != JobStatus.QUEUED) {
      return;
    }
    String queue = shards.job(job).getSpec().getQueue();
    String scheduler = moved && queue.equals("east") ? "ws" : QUEUES.get(queue);
    shards.post(
        shards.shardOfScheduler(scheduler),
        Calls.run(
            shards.engine(scheduler),
            scheduler,
            shards.epoch(scheduler),
            job,
            Calls.share(NODES.get(queue), 1, sent.get(command))));
  }

  private void takeOrders() {
    for (; seenOrders < shards.dispatch().size(); seenOrders++) {
      if (shards.dispatch().get(seenOrders) instanceof StartRun order) {
        open.put(order.getJobId(), order);
        granted++;
      }
    }
  }

  private void end(StartRun order) {
    open.remove(order.getJobId());
    shards.post(order.getShard(), Calls.finished(shards.executor(order.getHost()), order, 0));
  }

  private void act() {
    int chance = random.nextInt(100);
    if (chance < 20 || sent.isEmpty()) {
      submit();
    } else if (chance < 65) {
      propose();
    } else if (chance < 85 && !open.isEmpty()) {
      end(any(List.copyOf(open.values())));
    } else if (chance < 90) {
      shards.silence(1 + random.nextInt(TestShards.COUNT - 1), random.nextInt(4) == 0);
    } else if (chance < 92) {
      limit(limit + 1);
    } else if (chance < 93) {
      moved = !moved;
      List<String> steps = moved ? List.of("es-", "ws+") : List.of("ws-", "es+");
      for (String step : steps) {
        String partition = "partition" + step.charAt(2) + "=peast";
        shards.post(
            0,
            Calls.change(
                shards.manager(),
                ChangeOperation.SET,
                ObjectKind.SCHEDULER,
                step.substring(0, 2),
                partition));
      }
    }
    for (int i = random.nextInt(12); i > 0; i--) {
      shards.step(random.nextInt(TestShards.COUNT));
    }
    takeOrders();
  }

  private void play(long seed) {
    random = new Random(seed);
    shards.observe(
        (shard, command, outcome, facts) ->
            refused += outcome.code() == PbsError.INSUFFICIENT.code() ? 1 : 0);
    limit(2 + random.nextInt(4));
    shards.run();
    for (int i = 0; i < ACTS; i++) {
      act();
      assertTrue(inUse() <= limit, "seed " + seed + ", act " + i + ": " + inUse() + " of " + limit);
    }
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.silence(shard, false);
    }
    shards.run();
    takeOrders();
    List.copyOf(open.values()).forEach(this::end);
    shards.run();
    shards.pass(60_000);
    assertEquals(0, inUse(), "seed " + seed);
  }

  private void theWholeIsFree(long seed) {
    long whole = Math.min(limit, CPUS);
    for (int i = 0; i < whole; i++) {
      String job = shards.submit(Calls.job("ann", "workq", 1));
      int code = shards.grant(job, "default", "n0", 1).getCode();
      if (code == PbsError.INSUFFICIENT.code()) {
        code = shards.grant(job, "default", "n0", 1).getCode(); // it has asked meanwhile
      }
      assertEquals(0, code, "seed " + seed + ", job " + i);
    }
  }

  @Test
  void neverMoreThanThereIsAndNothingIsLost() {
    int started = 0;
    int turnedAway = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      RunningAmountsPropertyTest history = new RunningAmountsPropertyTest();
      history.play(seed);
      history.theWholeIsFree(seed);
      started += history.granted;
      turnedAway += history.refused;
    }
    assertTrue(started > 10 * SEEDS && turnedAway > 10 * SEEDS, started + " and " + turnedAway);
  }
}
