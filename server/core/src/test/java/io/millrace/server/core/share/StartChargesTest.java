package io.millrace.server.core.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Starts of runs under an Origin2000 policy are charged to their users, each once. */
class StartChargesTest {
  private static final long DAY_MS = 86_400_000;
  private static final String DEFAULT = "default";

  private final TestShards shards = TestShards.threePartitions();

  @BeforeEach
  void loads() {
    assertEquals(0, load("DECAY_FACTOR 0.5 # a day\n", "").getCode());
  }

  private Reply load(String config, String usage) {
    String files = "=== time_zone\nUTC\n=== config\n" + config;
    return shards.qmgr(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        DEFAULT,
        "policy=origin2000",
        "origin2000=" + files + (usage.isEmpty() ? "" : "=== decay_usage\nMon\n" + usage));
  }

  /** The figure of a user of the group that jobs of tests have. */
  private double figure(String user) {
    Scheduler scheduler = shards.tables(0).schedulers().get(DEFAULT);
    EntityUsage usage = Charges.find(shards.tables(0), DEFAULT, StartUsage.entity(user));
    return usage == null
        ? 0
        : StartUsage.figure(Charges.milli(usage, scheduler == null ? 0 : scheduler.getFaded()));
  }

  private String user(StartRun run) {
    return StartUsage.user(StartUsage.entity(shards.job(run.getJobId()).getSpec()));
  }

  @Test
  void aStartIsChargedOnceAndItsEndNothing() {
    StartRun run = shards.running("ann");
    shards.started(run);
    assertEquals(10, figure(user(run)), "it asks for no walltime");
    ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, 0);
    end.setUsed(Usage.newBuilder().setWalltimeS(100).build());
    shards.ask(0, end);
    shards.ask(0, end);
    assertEquals(10, figure(user(run)));
    assertEquals(1, shards.facts(UsageCharged.class).size());
  }

  @Test
  void eachStartOfAJobIsCharged() {
    StartRun run = shards.running("ann");
    shards.started(run);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), run.getJobId())));
    shards.ask(0, Calls.finished(shards.executor(run.getHost()), run, 271));
    assertNotEquals(0, shards.grant(run.getJobId(), DEFAULT, "n9", 1).getCode());
    assertEquals(10, figure(user(run)), "what is refused costs nothing");
    assertEquals(0, shards.grant(run.getJobId(), DEFAULT, "n0", 1).getCode());
    assertEquals(20, figure(user(run)));
  }

  @Test
  void figuresFadeByTheFactorEachDay() {
    StartRun run = shards.running("ann");
    shards.pass(DAY_MS + 1000);
    assertEquals(5, figure(user(run)), 0.001);
    shards.pass(2 * DAY_MS);
    assertEquals(1.25, figure(user(run)), 0.001);
  }

  @Test
  void aFileOfPastUsageReplacesWhatIsKnownWhenItIsAnotherOne() {
    String user = user(shards.running("ann"));
    assertEquals(0, load("DECAY_FACTOR 0.5\n", "g:bob 2.5\ng:cid 7\nnonsense\n").getCode());
    assertEquals(0, figure(user), "the file does not name him");
    assertNull(Charges.find(shards.tables(0), DEFAULT, StartUsage.entity(user)));
    assertEquals(2.5, figure("g:bob"));
    assertEquals(7, figure("g:cid"));
    assertEquals(2, shards.tables(0).schedulers().get(DEFAULT).getEntities());
    shards.pass(DAY_MS + 1000);
    shards.running("ann");
    assertEquals(0, load("DECAY_FACTOR 0.25\n", "g:bob 2.5\ng:cid 7\nnonsense\n").getCode());
    assertEquals(10, figure(user), "it is the same file");
    assertEquals(1, shards.facts(UsagesSet.class).size());
  }

  @Test
  void underAnotherPolicyNoStartIsCharged() {
    Reply left = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, DEFAULT, "policy=fifo");
    assertEquals(0, left.getCode());
    shards.running("ann");
    assertEquals(List.of(), shards.facts(UsageCharged.class));
  }
}
