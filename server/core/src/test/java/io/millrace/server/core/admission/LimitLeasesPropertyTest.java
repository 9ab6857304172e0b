package io.millrace.server.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * Whatever jobs are submitted, moved and deleted in three shards whose messages arrive when they
 * like, and whichever shard is away for a while: no more jobs are taken than the limit allows, and
 * when all are gone the whole limit is free again.
 */
class LimitLeasesPropertyTest {
  private static final int ACTS = 400;
  private static final int SEEDS = Boolean.getBoolean("millrace.night") ? 500 : 8;
  private static final List<String> QUEUES = List.of("east", "west", "workq");

  private final TestShards shards = TestShards.threePartitions();
  private final List<SubmitJobs> sent = new ArrayList<>();
  private final Set<String> deleted = new TreeSet<>();
  private Random random;
  private long limit;

  /** A job that is deleted where it arrived is known a little longer where it came from. */
  private Set<String> jobs() {
    Set<String> there = new TreeSet<>();
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards
          .tables(shard)
          .jobs()
          .scan(
              "",
              null,
              (key, job) -> {
                if (job.getStatus() != JobStatus.FINISHED) {
                  there.add(key);
                }
                return true;
              });
    }
    there.removeAll(deleted);
    return there;
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
            "max_queued=[o:PBS_ALL=" + most + "]"));
  }

  private String any(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** The shard that knows where the job is: its number is of one of that shard's blocks. */
  private int birth(String id) {
    long block = Keys.jobNumber(id) / Keys.BLOCK_SIZE * Keys.BLOCK_SIZE;
    return shards.tables(0).blocks().get(Keys.block(block)).getShard();
  }

  private void act() {
    List<String> ids =
        sent.stream()
            .map(it -> shards.answer(it.getMeta()))
            .filter(it -> it != null && it.getCode() == 0)
            .map(it -> it.getLines().get(0))
            .toList();
    int chance = random.nextInt(100);
    if (chance < 55 || ids.isEmpty()) {
      SubmitJobs command =
          Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", any(QUEUES), 1));
      sent.add(command);
      shards.post(random.nextInt(3), command);
    } else if (chance < 70) {
      String id = any(ids);
      shards.post(birth(id), Calls.move(shards.user("ann"), id, any(QUEUES)));
    } else if (chance < 92) {
      String id = any(ids);
      shards.post(birth(id), Calls.delete(shards.manager(), id, true));
    } else if (chance < 96) {
      shards.silence(random.nextInt(TestShards.COUNT), random.nextBoolean());
    } else if (chance < 97) {
      String partition = random.nextBoolean() ? "peast" : "";
      shards.post(
          0,
          Calls.change(
              shards.manager(),
              ChangeOperation.SET,
              ObjectKind.QUEUE,
              "east",
              "partition=" + partition));
    }
    for (int i = random.nextInt(12); i > 0; i--) {
      shards.step(random.nextInt(TestShards.COUNT));
    }
  }

  private void settle() {
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.silence(shard, false);
    }
    shards.run();
    shards.pass(60_000);
  }

  private void play(long seed) {
    random = new Random(seed);
    shards.observe(
        (shard, command, outcome, facts) -> {
          for (SpecificRecord fact : facts) {
            if (fact instanceof JobDeleted gone) {
              deleted.add(Keys.number(Keys.jobNumber(gone.getJobId())));
            }
          }
        });
    limit(3 + random.nextInt(8));
    shards.run();
    for (int i = 0; i < ACTS; i++) {
      act();
      assertTrue(jobs().size() <= limit, "seed " + seed + ", act " + i + ": " + jobs());
    }
    settle();
    for (SubmitJobs command : sent) {
      Reply reply = shards.answer(command.getMeta());
      assertTrue(reply != null, "seed " + seed + ": unanswered");
    }
  }

  private void theWholeLimitIsFree(long seed) {
    for (String key : jobs()) {
      String id = Long.parseLong(key) + ".mill";
      assertEquals(0, shards.code(shards.where(id), Calls.delete(shards.manager(), id, true)), id);
    }
    assertEquals(Set.of(), jobs());
    for (int i = 0; i <= limit; i++) {
      SubmitJobs command = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "west", 1));
      assertEquals(i == limit ? 15142 : 0, shards.code(0, command), "seed " + seed + ", job " + i);
    }
  }

  @Test
  void neverMoreThanTheLimitAndNothingIsLost() {
    int taken = 0;
    int refused = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      LimitLeasesPropertyTest history = new LimitLeasesPropertyTest();
      history.play(seed);
      history.theWholeLimitIsFree(seed);
      for (SubmitJobs command : history.sent) {
        int code = history.shards.answer(command.getMeta()).getCode();
        taken += code == 0 ? 1 : 0;
        refused += code == 15142 ? 1 : 0;
      }
    }
    assertTrue(taken > 20 * SEEDS && refused > 20 * SEEDS, taken + " and " + refused);
  }
}
