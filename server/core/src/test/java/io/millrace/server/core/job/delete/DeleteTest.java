package io.millrace.server.core.job.delete;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletion in each state. */
class DeleteTest {
  private final TestShards shards = TestShards.threePartitions();

  private Reply delete(String job, boolean purge) {
    return shards.ask(0, Calls.delete(shards.user("ann"), job, purge));
  }

  @Test
  void aWaitingJobEndsAtOnce() {
    String queued = shards.submit(Calls.job("ann", "workq", 1));
    String held = shards.submit(Calls.held(Calls.job("ann", "workq", 1), "u"));
    for (String job : List.of(queued, held)) {
      assertEquals(0, delete(job, false).getCode());
      assertEquals(JobStatus.FINISHED, shards.status(job));
      assertEquals(271, shards.job(job).getExitStatus());
      assertEquals("ann@login", shards.job(job).getEndedBy());
      assertEquals(15139, delete(job, false).getCode());
    }
  }

  @Test
  void aWaitingJobCanGoWithItsHistory() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, delete(job, true).getCode());
    assertNull(shards.job(job));
    assertEquals(15001, delete(job, true).getCode());
    shards.pass(15 * 86_400_000L);
    assertEquals(1, shards.facts(JobPurged.class).size());
  }

  @Test
  void aRunningJobEndsByItsReportAndIsKilledAgainOnRequest() {
    StartRun run = shards.running("ann");
    shards.started(run);
    assertEquals(0, delete(run.getJobId(), false).getCode());
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    KillRun kill = shards.lastKill();
    assertEquals(
        List.of(run.getJobId(), 1, "n0"), List.of(kill.getJobId(), kill.getRun(), kill.getHost()));
    assertEquals(0, delete(run.getJobId(), false).getCode());
    assertEquals(2, shards.dispatch().stream().filter(KillRun.class::isInstance).count());
    assertEquals(1, shards.facts(RunKillRequested.class).size());
    shards.finished(run, 271);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
    assertEquals("ann@login", shards.job(run.getJobId()).getEndedBy());
  }

  @Test
  void aJobThatIsToGoOnlyWhileItWaitsRunsOn() {
    StartRun run = shards.running("ann");
    DeleteJob command = Calls.delete(shards.user("ann"), run.getJobId(), false);
    command.setWaitingOnly(true);
    assertEquals(15016, shards.code(0, command));
    assertEquals(0, shards.facts(RunKillRequested.class).size());
    String queued = shards.submit(Calls.job("ann", "workq", 1));
    command = Calls.delete(shards.user("ann"), queued, false);
    command.setWaitingOnly(true);
    assertEquals(0, shards.code(0, command));
    assertEquals(JobStatus.FINISHED, shards.status(queued));
  }

  @Test
  void theQueueSaysHowLongARunHasAfterItsSigterm() {
    StartRun usual = shards.running("ann");
    assertEquals(10, usual.getKillDelayS());
    delete(usual.getJobId(), false);
    assertEquals(10, shards.lastKill().getKillDelayS());
    shards.finished(usual, 271);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "kill_delay=45");
    StartRun patient = shards.running("ann");
    assertEquals(45, patient.getKillDelayS(), "for its walltime");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "kill_delay=0");
    delete(patient.getJobId(), false);
    assertEquals(0, shards.lastKill().getKillDelayS());
  }

  @Test
  void theHistoryOfARunningJobCannotGoBeforeItsEnd() {
    StartRun run = shards.running("ann");
    assertEquals(15016, delete(run.getJobId(), true).getCode());
    assertNull(shards.lastKill());
    shards.finished(run, 0);
    assertEquals(0, delete(run.getJobId(), true).getCode());
    assertNull(shards.job(run.getJobId()));
  }

  @Test
  void rights() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(15007, shards.code(0, Calls.delete(shards.user("bob"), job, false)));
    assertEquals(0, shards.code(0, Calls.delete(shards.operator(), job, false)));
  }
}
