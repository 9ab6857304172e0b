package io.millrace.server.core.job.hold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds and releases, and who may set which. */
class HoldTest {
  private final TestShards shards = TestShards.threePartitions();
  private final String job = shards.submit(Calls.job("ann", "workq", 1));

  private int hold(CommandMeta by, String holds) {
    return shards.code(0, Calls.hold(by, job, holds));
  }

  private int release(CommandMeta by, String holds) {
    return shards.code(0, Calls.release(by, job, holds));
  }

  @Test
  void aHeldJobWaitsUntilTheLastHoldIsReleased() {
    assertEquals(0, hold(shards.user("ann"), "u"));
    assertEquals(0, hold(shards.operator(), "o"));
    assertEquals("uo", shards.job(job).getHolds());
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(-1, shards.job(job).getEligibleMs());
    assertEquals(0, release(shards.user("ann"), "u"));
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(0, release(shards.operator(), "o"));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertTrue(shards.job(job).getEligibleMs() > 0);
  }

  @Test
  void rights() {
    assertEquals(15007, hold(shards.user("bob"), "u"));
    assertEquals(15007, hold(shards.user("ann"), "o"));
    assertEquals(15007, hold(shards.user("ann"), "s"));
    assertEquals(15007, hold(shards.operator(), "s"));
    assertEquals(0, hold(shards.manager(), "uos"));
    assertEquals(15007, release(shards.user("ann"), "o"));
    assertEquals(15007, release(shards.operator(), "s"));
    assertEquals(0, release(shards.manager(), "uos"));
    assertEquals("n", shards.job(job).getHolds());
  }

  @Test
  void whatIsAlreadySoWritesNoFact() {
    hold(shards.user("ann"), "u");
    assertEquals(0, hold(shards.user("ann"), "u"));
    assertEquals(0, hold(shards.user("ann"), "n"));
    assertEquals(0, release(shards.operator(), "o"));
    assertEquals(1, shards.facts(JobHeld.class).size());
    assertEquals(0, shards.facts(JobReleased.class).size());
  }

  @Test
  void wrongLettersAndUnknownJobs() {
    assertEquals(15014, hold(shards.user("ann"), "x"));
    assertEquals(15014, hold(shards.user("ann"), ""));
    assertEquals(15001, shards.code(0, Calls.hold(shards.user("ann"), "77.mill", "u")));
    assertEquals(15001, shards.code(0, Calls.hold(shards.user("ann"), "0.elsewhere", "u")));
    assertEquals(15001, shards.code(0, Calls.hold(shards.user("ann"), "job", "u")));
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), "0", "u")));
  }

  @Test
  void aRunningJobIsHeldAfterItsRun() {
    shards.grant(job, "default", "n0", 1);
    assertEquals(0, hold(shards.user("ann"), "u"));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    shards.ask(0, Calls.rerun(shards.operator(), job));
    shards.finished(shards.lastStart(), 271);
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(-1, shards.job(job).getEligibleMs());
  }

  @Test
  void aFinishedJobIsNotHeld() {
    shards.ask(0, Calls.delete(shards.user("ann"), job, false));
    assertEquals(15139, hold(shards.user("ann"), "u"));
    assertEquals(15139, release(shards.user("ann"), "u"));
  }

  private static final String OUTSIDE = "n1@c1";

  private List<String> told() {
    return shards.dispatch().stream()
        .filter(SignalRun.class::isInstance)
        .map(order -> ((SignalRun) order).getSignal())
        .toList();
  }

  /** It may wait there, and must not begin. */
  @Test
  void anOutsideClusterIsToldThatARunIsHeld() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, OUTSIDE);
    shards.nodeUp(OUTSIDE, 4);
    shards.grant(job, "default", OUTSIDE, 1);
    assertEquals(OUTSIDE, shards.lastStart().getHost());
    hold(shards.user("ann"), "u");
    hold(shards.operator(), "o");
    release(shards.user("ann"), "u");
    assertEquals(List.of("hold"), told());
    shards.nodeUp(OUTSIDE, 4);
    assertEquals(List.of("hold", "hold"), told(), "it may have been lost");
    release(shards.operator(), "o");
    assertEquals(List.of("hold", "hold", "release"), told());
    assertEquals(
        15029,
        shards.code(0, new MessageJob(shards.user("ann"), job, "E", "word")),
        "there is no way to its output");
  }

  @Test
  void aHostOfThisSystemIsToldNothing() {
    shards.grant(job, "default", "n0", 1);
    hold(shards.user("ann"), "u");
    release(shards.user("ann"), "u");
    shards.nodeUp("n0", 4);
    assertEquals(List.of(), told());
  }
}
