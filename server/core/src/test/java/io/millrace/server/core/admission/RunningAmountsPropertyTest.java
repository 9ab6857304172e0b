package io.millrace.server.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.run.suspend.StrandedRuns;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * Whatever runs are proposed, stand still, go on, end and move in shards whose messages arrive when
 * they like, one of which has two schedulers, and whichever shard is away for a while: no proposal
 * is granted beyond what the server has, and when all have ended one scheduler can have the whole
 * of it. What operators start counts beside that.
 */
class RunningAmountsPropertyTest {
  private static final int ACTS = 800;
  private static final long[] SEEDS =
      LongStream.concat(LongStream.rangeClosed(1, 8), LongStream.of(Seeds.of(500)))
          .distinct()
          .toArray();
  private static final int CPUS = 4;
  private static final Map<String, String> QUEUES =
      Map.of("east", "es", "west", "ws", "workq", "default", "upper", "us", "lower", "ls");
  private static final Map<String, String> NODES =
      Map.of("east", "e0", "west", "w0", "workq", "n0", "upper", "u0", "lower", "l0");
  private static final List<String> NAMES = List.of("east", "west", "workq", "upper", "lower");

  private final TestShards shards = TestShards.threePartitions();
  private final Map<String, StartRun> open = new TreeMap<>();

  /** Jobs that run by an operator's word. */
  private final Set<String> byOperator = new HashSet<>();

  /** Submissions, with what their jobs ask for. */
  private final Map<CommandMeta, Integer> sent = new LinkedHashMap<>();

  private int seenOrders;
  private int granted;
  private int refused;
  private int resumed;
  private int above;
  private boolean moved;
  private Random random;
  private long limit;
  private String where = "";

  /** As the jobs themselves say. */
  private long inUse(Predicate<Job> which) {
    long[] sum = {0};
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards
          .tables(shard)
          .jobs()
          .scan(
              "",
              null,
              (key, job) -> {
                boolean uses =
                    job.getAllocation() != null
                        && job.getStatus() != JobStatus.FINISHED
                        && job.getSuspension() == Suspension.NONE;
                if (uses && which.test(job)) {
                  job.getAllocation()
                      .getShares()
                      .forEach(share -> sum[0] += share.getAmounts().getOrDefault("ncpus", 0L));
                }
                return true;
              });
    }
    return sum[0];
  }

  private long granted() {
    return inUse(job -> !byOperator.contains(job.getId()));
  }

  /** Two more schedulers, of which one has no shard for itself. */
  private void sides() {
    for (String side : List.of("upper", "lower")) {
      String letter = side.substring(0, 1);
      shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, letter + "s");
      shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, letter + "s", "partition=p" + side);
      shards.queue(side, "p" + side);
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, letter + "0", "partition=p" + side);
      shards.nodeUp(letter + "0", CPUS);
      shards.startEngine(letter + "s");
    }
    long apart = QUEUES.values().stream().map(shards::shardOfScheduler).distinct().count();
    assertTrue(apart < QUEUES.size(), "two schedulers share a shard");
  }

  private void stepped(SpecificRecord command, List<SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      if (fact instanceof RunGranted run) {
        if (command instanceof RunNow) {
          byOperator.add(run.getJobId());
        } else {
          granted++;
          within(command);
        }
      } else if (fact instanceof RunResumed run) {
        byOperator.remove(run.getJobId());
        resumed++;
        within(command);
      }
    }
  }

  private void within(SpecificRecord command) {
    long used = granted();
    assertTrue(used <= limit, () -> where + ": " + used + " of " + limit + " by " + command);
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
    String scheduler = scheduler(job);
    int shard = shards.shardOfScheduler(scheduler);
    if (shards.tables(shard).schedulers().get(scheduler) == null) {
      // Its partition came back without it: it serves that in the shard where it is now.
      shards.post(0, Calls.startEngine(shards.engine(scheduler), scheduler, false));
      return;
    }
    shards.post(
        shards.shardOfScheduler(scheduler),
        Calls.run(
            shards.engine(scheduler),
            scheduler,
            shards.epoch(scheduler),
            job,
            Calls.share(NODES.get(queue), 1, sent.get(command))));
  }

  /** The scheduler whose shard has the run and that may propose for it. */
  private String scheduler(String job) {
    String queue = shards.job(job).getSpec().getQueue();
    return moved && queue.equals("east") ? "ws" : QUEUES.get(queue);
  }

  private void suspend(StartRun run) {
    String scheduler = scheduler(run.getJobId());
    CommandMeta engine = shards.engine(scheduler);
    long epoch = shards.epoch(scheduler);
    shards.post(
        run.getShard(),
        shards.job(run.getJobId()).getSuspension() == Suspension.NONE
            ? new SuspendRun(engine, scheduler, epoch, run.getJobId(), run.getRun())
            : new ResumeRun(engine, scheduler, epoch, run.getJobId(), run.getRun()));
  }

  private void lookForStranded(int shard) {
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.post(shard, new Continue(meta, StrandedRuns.WORK, ""));
  }

  private void operatorStarts() {
    CommandMeta command = any(List.copyOf(sent.keySet()));
    Reply reply = shards.answer(command);
    String job = reply == null || reply.getCode() != 0 ? "" : reply.getLines().get(0);
    if (random.nextInt(3) == 0 && !job.isEmpty() && shards.where(job) >= 0) {
      shards.post(shards.where(job), new RunNow(shards.manager(), job, List.of()));
    }
  }

  /** Down to a part of what is in use; all shards know it before anything else is proposed. */
  private void lower() {
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.silence(shard, false);
    }
    shards.run();
    takeOrders();
    long least = granted() - 1 - random.nextInt(2);
    if (least > 0) {
      limit(least);
      shards.run();
      above++;
    }
  }

  private void takeOrders() {
    for (; seenOrders < shards.dispatch().size(); seenOrders++) {
      if (shards.dispatch().get(seenOrders) instanceof StartRun order) {
        open.put(order.getJobId(), order);
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
    } else if (chance < 58) {
      propose();
    } else if (chance < 68 && !open.isEmpty()) {
      suspend(any(List.copyOf(open.values())));
    } else if (chance < 69) {
      lookForStranded(random.nextInt(TestShards.COUNT));
    } else if (chance < 70) {
      operatorStarts();
    } else if (chance < 72) {
      lower();
    } else if (chance < 86 && !open.isEmpty()) {
      end(any(List.copyOf(open.values())));
    } else if (chance < 90) {
      shards.silence(1 + random.nextInt(TestShards.COUNT - 1), random.nextInt(4) == 0);
    } else if (chance < 92) {
      limit(limit + 2 + random.nextInt(4));
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
    sides();
    shards.observe(
        (shard, command, outcome, facts) -> {
          refused += outcome.code() == PbsError.INSUFFICIENT.code() ? 1 : 0;
          stepped(command, facts);
        });
    limit(2 + random.nextInt(4));
    shards.run();
    for (int i = 0; i < ACTS; i++) {
      where = "seed " + seed + ", act " + i;
      act();
    }
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.silence(shard, false);
    }
    shards.run();
    takeOrders();
    List.copyOf(open.values()).forEach(this::end);
    shards.run();
    shards.pass(60_000);
    assertEquals(0, inUse(job -> true), "seed " + seed);
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
    int wentOn = 0;
    int lowered = 0;
    for (long seed : SEEDS) {
      RunningAmountsPropertyTest history = new RunningAmountsPropertyTest();
      history.play(seed);
      history.theWholeIsFree(seed);
      started += history.granted;
      turnedAway += history.refused;
      wentOn += history.resumed;
      lowered += history.above;
    }
    String all = started + ", " + turnedAway + ", " + wentOn + ", " + lowered;
    int histories = SEEDS.length;
    assertTrue(started > 10 * histories && turnedAway > 10 * histories, all);
    assertTrue(wentOn > histories && lowered > histories / 2, all);
  }
}
