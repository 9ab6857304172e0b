package io.millrace.server.core.run.started;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.shard.Calls;
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

  /**
   * The clock of a host may be wrong, and what a forwarded run says is in a file of its owner's.
   */
  @Test
  void noRunBeginsBeforeItsGrantOrLaterThanNow() {
    long grantedMs = shards.facts(RunGranted.class).get(0).getMeta().getAtMs();
    shards.started(run, 0);
    assertEquals(grantedMs, shards.job(run.getJobId()).getStartedMs());
    assertEquals(grantedMs, shards.facts(RunStarted.class).get(0).getStartedMs());
    StartRun ahead = shards.running("bo");
    shards.started(ahead, shards.nowMs + 3_600_000);
    long beganMs = shards.facts(RunStarted.class).get(1).getStartedMs();
    assertTrue(beganMs <= shards.nowMs, "later than now: " + (beganMs - shards.nowMs));
    StartRun between = shards.running("cy");
    shards.pass(60_000);
    long saidMs = shards.nowMs - 30_000;
    shards.started(between, saidMs);
    assertEquals(saidMs, shards.job(between.getJobId()).getStartedMs());
  }

  @Test
  void anEndSaysTheStartThatIsKnownAndNoneFromBeforeTheGrant() {
    long grantedMs = shards.facts(RunGranted.class).get(0).getMeta().getAtMs();
    finished(run, 1, 2);
    RunFinished end = shards.facts(RunFinished.class).get(0);
    assertEquals(grantedMs, end.getStartedMs());
    assertEquals(grantedMs, end.getFinishedMs());
    StartRun told = shards.running("bo");
    shards.pass(60_000);
    shards.started(told, shards.nowMs - 30_000);
    long beganMs = shards.job(told.getJobId()).getStartedMs();
    finished(told, 1, shards.nowMs + 3_600_000);
    end = shards.facts(RunFinished.class).get(1);
    assertEquals(beganMs, end.getStartedMs());
    assertTrue(end.getFinishedMs() <= shards.nowMs, end::toString);
  }

  private void finished(StartRun order, long startedMs, long finishedMs) {
    ReportRunFinished report = Calls.finished(shards.executor(order.getHost()), order, 0);
    report.setStartedMs(startedMs);
    report.setFinishedMs(finishedMs);
    shards.send(order.getShard(), report);
    shards.run();
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
