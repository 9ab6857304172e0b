package io.millrace.server.core.run.requeue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reruns: the next run starts after the end of the one before. */
class RerunTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");
  private final String job = run.getJobId();

  private int rerun(CommandMeta by) {
    return shards.code(0, Calls.rerun(by, job));
  }

  @Test
  void theJobWaitsAgainWhenTheEndOfItsRunIsReported() {
    shards.started(run);
    assertEquals(0, rerun(shards.operator()));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals(1, shards.lastKill().getRun());
    shards.finished(run, 271);
    Job waiting = shards.job(job);
    assertEquals(JobStatus.QUEUED, waiting.getStatus());
    assertNull(waiting.getAllocation());
    assertEquals("", waiting.getEndedBy());
    assertEquals(-11, waiting.getExitStatus(), "how PBS says that it was rerun");
    assertEquals(KillPurpose.NONE, waiting.getKilling());
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(2, shards.lastStart().getRun());
    assertNull(shards.job(job).getExitStatus());
    shards.finished(run, 271);
    assertEquals(JobStatus.RUNNING, shards.status(job), "an old report is ignored");
  }

  @Test
  void anotherWishSaysItToTheExecutorAgain() {
    rerun(shards.operator());
    rerun(shards.operator());
    assertEquals(2, shards.dispatch().stream().filter(KillRun.class::isInstance).count());
    assertEquals(1, shards.facts(RunKillRequested.class).size());
  }

  @Test
  void refusals() {
    assertEquals(15007, rerun(shards.user("ann")));
    AlterJob not =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(job)
            .setRerunnable(false)
            .build();
    assertEquals(0, shards.code(0, not));
    assertEquals(15038, rerun(shards.operator()));
    shards.ask(0, Calls.delete(shards.user("ann"), job, false));
    assertEquals(15038, rerun(shards.operator()), "that it may not comes before its state");
    shards.finished(run, 271);
    assertEquals(15139, rerun(shards.operator()));
  }

  @Test
  void aDeletionAfterTheWishWins() {
    rerun(shards.operator());
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), job, false)));
    shards.finished(run, 271);
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }
}
