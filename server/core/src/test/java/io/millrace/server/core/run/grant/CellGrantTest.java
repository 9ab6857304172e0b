package io.millrace.server.core.run.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cell of Grid Engine with two partitions: its jobs wait in one and run in both. */
class CellGrantTest {
  private final TestShards shards = TestShards.threePartitions();
  private final String job;

  CellGrantTest() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition=peast,pfar");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "f0", "partition=pfar");
    shards.nodeUp("f0", 4);
    job = shards.submit(Calls.ofGridEngine(Calls.job("ann", "east", 1)));
  }

  private int grant(String node, boolean gridEngine) {
    RunJob run =
        Calls.run(shards.engine("es"), "es", shards.epoch("es"), job, Calls.share(node, 1, 1));
    if (gridEngine) {
      run.setGridEngine(new GridEngineGrant("", List.of("all.q@" + node), 0L, 0L));
    }
    return shards.code(shards.shardOfScheduler("es"), run);
  }

  @Test
  void aJobRunsOnAHostOfTheOtherPartition() {
    assertEquals(0, grant("f0", true));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals("f0/0", shards.job(job).getAllocation().getExecHost());
  }

  @Test
  void notOnOneOfAnotherSchedulersAndNotWithoutTheCellsWord() {
    assertEquals(PbsError.NO_ROOM.code(), grant("w0", true));
    assertEquals(PbsError.NO_ROOM.code(), grant("f0", false));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void itsEngineSaysWhenASuspendedRunThereGoesOn() {
    assertEquals(0, grant("f0", true));
    shards.started(shards.lastStart());
    assertEquals(0, signal("suspend"));
    assertEquals(Suspension.OPERATOR, shards.job(job).getSuspension());
    assertEquals(0, signal("resume"));
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension());
  }

  private int signal(String name) {
    SignalJob wish = Calls.signal(shards.operator(), job, name);
    return shards.code(shards.shardOfScheduler("es"), wish);
  }
}
