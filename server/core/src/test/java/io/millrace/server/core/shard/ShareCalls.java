package io.millrace.server.core.shard;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ChangeUsage;
import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.command.NoteUsage;
import io.millrace.schemas.command.RunUsed;
import io.millrace.schemas.command.UsageChange;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a history has to do with fair share and with inputs of policies. Its chances are its own, so
 * that histories are the same as without it in all else.
 */
final class ShareCalls {
  private static final List<String> SCHEDULERS = List.of("default", "es", "ws");

  /** One of so many steps of the history has to do with fair share. */
  private static final int SELDOM = 12;

  private final Random random;
  private final TestShards shards;

  ShareCalls(long seed, TestShards shards) {
    this.random = new Random(~seed);
    this.shards = shards;
  }

  /** All schedulers add up what users use. */
  void load() {
    for (String scheduler : SCHEDULERS) {
      shards.send(
          0,
          Calls.change(
              shards.manager(),
              ChangeOperation.SET,
              ObjectKind.SCHEDULER,
              scheduler,
              "policy=sched_config",
              "sched_config=" + text()));
    }
  }

  private static String text() {
    Map<String, String> texts =
        Map.of(
            "sched_config",
            "fair_share: true\nfairshare_usage_res: walltime\nfairshare_decay_time: 0:10:00\n"
                + "server_dyn_res: \"mem !/opt/mem\"\n",
            "resource_group",
            "ann 10 root 3\nbob 11 root 1\n");
    return StoredPolicy.join(texts, "UTC");
  }

  void act() {
    if (random.nextInt(SELDOM) == 0) {
      int shard = random.nextInt(TestShards.COUNT);
      String scheduler = SCHEDULERS.get(random.nextInt(SCHEDULERS.size()));
      if (random.nextInt(6) > 0) {
        sample(shard, scheduler);
      } else {
        change(shard, scheduler);
      }
      if (random.nextInt(3) == 0) {
        input(shard, scheduler);
      }
    }
  }

  /** A program says what it said before, or something else, or fails. */
  private void input(int shard, String scheduler) {
    int said = random.nextInt(4);
    InputReading reading =
        new InputReading("mem", said == 0 ? "" : said + "gb", said == 0 ? "it hangs" : "");
    shards.send(
        shard,
        new NoteInputs(
            shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs),
            scheduler,
            List.of(reading)));
  }

  private void sample(int shard, String scheduler) {
    List<RunUsed> runs = new ArrayList<>();
    shards
        .tables(shard)
        .jobs()
        .each(
            job -> {
              if (job.getStatus() == JobStatus.RUNNING || random.nextInt(20) == 0) {
                runs.add(used(job));
              }
            });
    shards.send(
        shard,
        new NoteUsage(
            shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs), scheduler, runs));
  }

  /** At times of an earlier run, or of one that there is not. */
  private RunUsed used(Job job) {
    int run = job.getRun() - (random.nextInt(8) == 0 ? 1 : 0);
    Usage used = Usage.newBuilder().setWalltimeS(random.nextInt(10)).build();
    return new RunUsed(job.getNumber(), run, used);
  }

  private void change(int shard, String scheduler) {
    UsageChange[] all = UsageChange.values();
    UsageChange what = all[random.nextInt(all.length)];
    boolean manager = random.nextInt(4) > 0;
    String entity = random.nextBoolean() ? "ann" : "cy";
    shards.send(
        shard,
        new ChangeUsage(
            manager ? shards.manager() : shards.user("ann"),
            scheduler,
            what,
            entity,
            (long) random.nextInt(1_000_000)));
  }
}
