package io.millrace.server.core.job.hold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.JobRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are not to run before a time. */
class ExecutionTimesTest {
  private static final long MINUTE_MS = 60_000;
  private final TestShards shards = TestShards.threePartitions();

  private String at(long ms) {
    NewJob job = Calls.job("ann", "workq", 1);
    job.getSpec().setExecutionMs(ms);
    return shards.submit(job);
  }

  private long counted(String job, String what) {
    return shards
        .tables(shards.where(job))
        .queues()
        .get(shards.job(job).getSpec().getQueue())
        .getCounts()
        .getOrDefault(what, 0L);
  }

  private void alter(String job, long ms) {
    AlterJob wish =
        AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(job).setExecutionMs(ms).build();
    assertEquals(0, shards.code(0, wish));
  }

  @Test
  void theTimeReleasesTheJob() {
    String job = at(shards.nowMs + 10 * MINUTE_MS);
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals("w", shards.job(job).getHolds());
    assertEquals(1, counted(job, JobRecords.WAITING));
    assertEquals(0, counted(job, "HELD"));
    shards.pass(9 * MINUTE_MS);
    assertEquals(JobStatus.HELD, shards.status(job));
    shards.pass(MINUTE_MS);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals("n", shards.job(job).getHolds());
    assertEquals(0, counted(job, JobRecords.WAITING));
    assertTrue(shards.job(job).getEligibleMs() >= shards.job(job).getSpec().getExecutionMs());
  }

  @Test
  void aTimeThatIsOverDoesNotMatter() {
    assertEquals(JobStatus.QUEUED, shards.status(at(shards.nowMs - MINUTE_MS)));
  }

  @Test
  void holdsAndTimeAreBothToBeOver() {
    String job = at(shards.nowMs + 2 * MINUTE_MS);
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), job, "u")));
    shards.pass(3 * MINUTE_MS);
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(0, shards.code(0, Calls.release(shards.user("ann"), job, "u")));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    String other = at(shards.nowMs + 2 * MINUTE_MS);
    shards.code(0, Calls.hold(shards.user("ann"), other, "u"));
    shards.code(0, Calls.release(shards.user("ann"), other, "u"));
    assertEquals("w", shards.job(other).getHolds());
  }

  @Test
  void nobodyReleasesTheTime() {
    String job = at(shards.nowMs + 2 * MINUTE_MS);
    int code = shards.code(0, Calls.release(shards.manager(), job, "w"));
    assertEquals(PbsError.ILLEGAL_VALUE.code(), code);
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(code, shards.code(0, Calls.hold(shards.manager(), job, "w")));
  }

  @Test
  void theTimeIsAltered() {
    String job = at(shards.nowMs + 2 * MINUTE_MS);
    alter(job, shards.nowMs + 10 * MINUTE_MS);
    shards.pass(5 * MINUTE_MS);
    assertEquals(JobStatus.HELD, shards.status(job));
    alter(job, shards.nowMs - 1);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    alter(job, shards.nowMs + MINUTE_MS);
    assertEquals("w", shards.job(job).getHolds());
    shards.pass(MINUTE_MS);
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void aJobBeginsToWait() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    alter(job, shards.nowMs + MINUTE_MS);
    assertEquals("w", shards.job(job).getHolds());
    shards.pass(MINUTE_MS - 100);
    assertEquals(JobStatus.HELD, shards.status(job));
    shards.pass(100);
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "False"})
  void aTimerIsNotLostOnAJobThatIsJustLeaving(String taken) {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=" + taken);
    String job = at(shards.nowMs + MINUTE_MS);
    int home = shards.where(job);
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.send(home, Calls.move(shards.user("ann"), job, "east"));
    shards.pass(2 * MINUTE_MS);
    assertEquals(-1, shards.where(job), "on its way");
    shards.silence(east, false);
    shards.run();
    shards.pass(10);
    assertEquals(taken.equals("True") ? east : home, shards.where(job));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals("n", shards.job(job).getHolds());
  }

  @Test
  void aJobWaitsInAnotherPartitionToo() {
    String job = at(shards.nowMs + 5 * MINUTE_MS);
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), job, "east")));
    assertEquals(JobStatus.HELD, shards.status(job));
    shards.pass(6 * MINUTE_MS);
    assertEquals(shards.shardOfQueue("east"), shards.where(job));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void theTimerOfAJobThatRunsGoesWithIt() {
    StartRun run = shards.running("ann");
    AlterJob wish =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(run.getJobId())
            .setExecutionMs(shards.nowMs + MINUTE_MS)
            .build();
    assertEquals(0, shards.code(0, wish));
    assertEquals(1, timers());
    shards.started(run);
    shards.finished(run, 0);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
    assertEquals(0, timers());
  }

  /** How many timers wait for the times of jobs, in all shards. */
  private int timers() {
    int[] found = {0};
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards
          .tables(shard)
          .timers()
          .each(timer -> found[0] += timer.getKind().equals(ExecutionTimes.TIMER) ? 1 : 0);
    }
    return found[0];
  }

  @Test
  void aTimerGoesWithTheWaitingOfItsJob() {
    long farMs = shards.nowMs + 365 * 24 * 60 * MINUTE_MS;
    String altered = at(farMs);
    for (int i = 1; i < 5; i++) {
      alter(altered, farMs + i * MINUTE_MS);
    }
    assertEquals(1, timers(), "one for each job that waits");
    String deleted = at(farMs);
    String moved = at(farMs);
    assertEquals(3, timers());
    shards.ask(0, Calls.delete(shards.user("ann"), deleted, false));
    assertEquals(2, timers());
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), moved, "east")));
    assertEquals(2, timers(), "with the job in its new shard");
    alter(altered, shards.nowMs - 1);
    assertEquals(1, timers());
    shards.ask(0, Calls.delete(shards.user("ann"), moved, true));
    assertEquals(0, timers());
  }
}
