package io.millrace.server.core.run.finished;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of Grid Engine that could not be started by their own fault. */
class ErrorStateTest {
  private static final String WHY = "[7:8]: error: can't chdir to /gone: No such file or directory";

  private final TestShards shards = TestShards.threePartitions();
  private final String job;

  ErrorStateTest() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition=peast,pfar");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "f0", "partition=pfar");
    shards.nodeUp("f0", 4);
    job = shards.submit(Calls.ofGridEngine(Calls.job("ann", "east", 1)));
  }

  private int shard() {
    return shards.shardOfScheduler("es");
  }

  private void fails() {
    RunJob run =
        Calls.run(shards.engine("es"), "es", shards.epoch("es"), job, Calls.share("f0", 1, 1));
    run.setGridEngine(new GridEngineGrant("", List.of("all.q@f0"), 0L, 0L));
    assertEquals(0, shards.code(shard(), run));
    ReportRunFinished end =
        Calls.finished(shards.executor("f0"), shards.lastStart(), ExitStatus.NOT_STARTED);
    end.setMessage(WHY);
    shards.ask(shard(), end);
  }

  private int cleared(CommandMeta by) {
    return shards.code(shard(), Calls.release(by, job, "e"));
  }

  @Test
  void oneThatCannotBeStartedWaitsUntilItIsMended() {
    fails();
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals("e", shards.job(job).getHolds());
    assertEquals(WHY, shards.job(job).getError().getMessage());
    assertNull(shards.job(job).getAllocation());
    assertEquals(List.of(), shards.holdings(shard(), "f0"));
    assertEquals(PbsError.UNAUTHORIZED.code(), cleared(shards.user("bob")));
    assertEquals(0, cleared(shards.user("ann")));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertNull(shards.job(job).getError());
    fails();
    assertEquals(WHY, shards.job(job).getError().getMessage());
    assertEquals(0, cleared(shards.operator()));
  }

  @Test
  void holdsComeAndGoBesideIt() {
    fails();
    assertEquals(0, shards.code(shard(), Calls.hold(shards.user("ann"), job, "u")));
    assertEquals("ue", shards.job(job).getHolds());
    assertEquals(0, shards.code(shard(), Calls.release(shards.user("ann"), job, "u")));
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals("e", shards.job(job).getHolds());
    assertEquals(
        PbsError.ILLEGAL_VALUE.code(),
        shards.code(shard(), Calls.hold(shards.user("ann"), job, "e")));
    assertEquals(0, shards.code(shard(), Calls.hold(shards.user("ann"), job, "u")));
    assertEquals(0, cleared(shards.user("ann")));
    assertEquals("u", shards.job(job).getHolds());
    assertNull(shards.job(job).getError());
    assertEquals(JobStatus.HELD, shards.status(job));
  }

  @Test
  void ownersSuspendAndRescheduleTheirJobs() {
    RunJob run =
        Calls.run(shards.engine("es"), "es", shards.epoch("es"), job, Calls.share("f0", 1, 1));
    run.setGridEngine(new GridEngineGrant("", List.of("all.q@f0"), 0L, 0L));
    assertEquals(0, shards.code(shard(), run));
    shards.started(shards.lastStart());
    int denied = PbsError.UNAUTHORIZED.code();
    assertEquals(denied, shards.code(shard(), Calls.signal(shards.user("bob"), job, "suspend")));
    assertEquals(0, shards.code(shard(), Calls.signal(shards.user("ann"), job, "suspend")));
    assertEquals(0, shards.code(shard(), Calls.signal(shards.user("ann"), job, "resume")));
    assertEquals(denied, shards.code(shard(), Calls.rerun(shards.user("bob"), job)));
    CommandMeta owner = shards.calls.silent("shard-" + shard(), Role.SHARD, shards.nowMs);
    shards.send(shard(), new NoteHostSilent(owner, "f0", Calls.SPOOL, 30L));
    shards.run();
    RerunJob forced = new RerunJob(shards.user("ann"), job, true);
    assertEquals(0, shards.code(shard(), forced));
    assertEquals(JobStatus.RUNNING, shards.status(job), "no run is given up at its owner's word");
    forced.setMeta(shards.operator());
    assertEquals(0, shards.code(shard(), forced));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void aJobOfPbsEndsWithTheFailedStart() {
    String plain = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.grant(plain, "default", "n0", 1).getCode());
    shards.finished(shards.lastStart(), ExitStatus.NOT_STARTED);
    assertEquals(JobStatus.FINISHED, shards.status(plain));
    assertEquals(ExitStatus.NOT_STARTED, shards.job(plain).getExitStatus());
  }
}
