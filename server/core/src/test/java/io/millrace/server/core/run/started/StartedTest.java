package io.millrace.server.core.run.started;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.shard.TestShards;
import org.junit.jupiter.api.Test;

/** Reports of starts: once, and stale runs are killed. */
class StartedTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");

  @Test
  void aStartIsRecordedOnce() {
    shards.started(run);
    shards.started(run);
    assertEquals(1, shards.facts(RunStarted.class).size());
    Job job = shards.job(run.getJobId());
    assertEquals(4711, job.getSessionId());
    assertEquals(1, job.getRunCount());
    assertNull(shards.lastKill());
  }

  @Test
  void aReportAfterTheEndChangesNothingAndLeavesNoRunBehind() {
    shards.finished(run, 0);
    Job before = shards.job(run.getJobId());
    assertEquals(1, before.getRunCount(), "the end proves the start");
    shards.started(run);
    assertEquals(before, shards.job(run.getJobId()));
    // It may be the end of a run that was given up, and the report that of the run itself, which
    // goes on; where it is late and the run over, there is nothing to end.
    assertTrue(shards.lastKill().getDiscard());
  }

  @Test
  void aRunThatNobodyWaitsForIsKilled() {
    StartRun stale = StartRun.newBuilder(run).setRun(0).setHost("far").build();
    shards.started(stale);
    KillRun kill = shards.lastKill();
    assertEquals(run.getJobId(), kill.getJobId());
    assertEquals(0, kill.getRun());
    assertEquals("far", kill.getHost());
    shards.started(StartRun.newBuilder(run).setJobId("77.mill").build());
    assertEquals("77.mill", shards.lastKill().getJobId());
    assertEquals(0, shards.facts(RunStarted.class).size());
  }
}
