package io.millrace.server.core.job.delete;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A scheduler gives up only what is its own, waits, and never ran. */
class RejectTest {
  private static final String WHY = "it could not start at once";
  private static final int STALE = PbsError.STALE_PROPOSAL.code();
  private static final int BAD_STATE = PbsError.BAD_STATE.code();

  private final TestShards shards = TestShards.threePartitions();
  private final String job = shards.submit(Calls.ofGridEngine(Calls.job("ann", "workq", 1)));

  private int reject(String scheduler, long epoch, String id) {
    return shards.code(0, new RejectJob(shards.engine(scheduler), scheduler, epoch, id, WHY));
  }

  private int reject(String id) {
    return reject("default", shards.epoch("default"), id);
  }

  private int grant() {
    RunJob run =
        Calls.run(
            shards.engine("default"),
            "default",
            shards.epoch("default"),
            job,
            Calls.share("n0", 1, 1));
    run.setGridEngine(new GridEngineGrant("", List.of("all.q@n0"), 0L, 0L));
    return shards.code(0, run);
  }

  @Test
  void aJobThatWaitsGoesAndSaysWhy() {
    assertEquals(0, reject(job));
    Job gone = shards.job(job);
    assertEquals(JobStatus.FINISHED, gone.getStatus());
    assertEquals(0, gone.getRun());
    assertNull(gone.getExitStatus(), "it had none");
    assertEquals("", gone.getEndedBy(), "nobody wished it");
    assertEquals(WHY, gone.getEvents().get(gone.getEvents().size() - 1).getDetail());
    assertEquals(BAD_STATE, reject(job), "once only");
  }

  @Test
  void aRunIsNotEndedAndOneThatWaitsAgainIsNotGivenUp() {
    assertEquals(0, grant());
    assertEquals(BAD_STATE, reject(job));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), job)));
    shards.finished(shards.lastStart(), 271);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(BAD_STATE, reject(job));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void nobodyElsesAndNothingThatIsHeld() {
    assertEquals(STALE, reject("default", shards.epoch("default") - 1, job));
    assertEquals(STALE, reject("es", shards.epoch("es"), job));
    assertEquals(PbsError.UNKNOWN_JOB.code(), reject("999.mill"));
    assertEquals(BAD_STATE, reject(shards.submit(Calls.job("ann", "workq", 1))));
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), job, "u")));
    assertEquals(BAD_STATE, reject(job));
    assertEquals(JobStatus.HELD, shards.status(job));
  }

  @Test
  void oneThatMayWaitIsNotGivenUp() {
    NewJob patient = Calls.ofGridEngine(Calls.job("ann", "workq", 1));
    patient.getSpec().getGridEngine().setImmediate(false);
    String id = shards.submit(patient);
    assertEquals(BAD_STATE, reject(id));
    assertEquals(JobStatus.QUEUED, shards.status(id));
  }

  @Test
  void usersCannotWriteIt() {
    RejectJob wish =
        new RejectJob(shards.user("ann"), "default", shards.epoch("default"), job, WHY);
    assertEquals(PbsError.COMMAND_FAMILY.code(), shards.code(0, wish));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void itsEndIsRememberedWhileSomebodyWaitsForIt() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "server", "job_history_enable=False");
    NewJob awaited = Calls.ofGridEngine(Calls.job("ann", "workq", 1));
    awaited.getSpec().setExtra(List.of(new Attribute(JobAttributes.BLOCK, "True")));
    String id = shards.submit(awaited);
    assertEquals(0, reject(id));
    assertEquals(0, reject(job));
    shards.pass(1_000);
    assertNull(shards.job(job), "nobody waits for this one");
    shards.pass(90_000);
    assertEquals(JobStatus.FINISHED, shards.status(id), "a qsub of many tasks looks seldom");
    shards.pass(60_000);
    assertNull(shards.job(id));
  }

  @Test
  void underAnOrigin2000PolicyAnyJobThatWaitsMayGo() {
    String plain = shards.submit(Calls.job("ann", "workq", 1));
    shards.must(
        ChangeOperation.SET, ObjectKind.SCHEDULER, "default", "policy=origin2000", "origin2000=x");
    assertEquals(0, reject(plain));
    assertEquals(JobStatus.FINISHED, shards.status(plain));
    String runs = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.grant(runs, "default", "n0", 1).getCode());
    assertEquals(BAD_STATE, reject(runs), "no run is ended so");
    String held = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), held, "u")));
    assertEquals(BAD_STATE, reject(held));
    assertEquals(JobStatus.HELD, shards.status(held));
  }

  @Test
  void noPolicyWithoutItsText() {
    assertEquals(
        PbsError.ILLEGAL_VALUE.code(),
        shards
            .qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", "policy=origin2000")
            .getCode());
  }
}
