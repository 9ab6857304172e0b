package io.millrace.server.core.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
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

  private void reads(String allocations, String current) {
    shards.send(
        0,
        new NoteInputs(
            shards.calls.silent("shard-0", Role.SHARD, shards.nowMs),
            DEFAULT,
            List.of(
                new InputReading("file:allocations", allocations, ""),
                new InputReading("file:current", current, ""))));
    shards.run();
  }

  private Map<String, Long> groupStarts() {
    return shards.tables(0).schedulers().get(DEFAULT).getGroupStarts();
  }

  private static String group(String user) {
    return user.split(":")[0];
  }

  @Test
  void startsCountAgainstAllocationsUntilTheFileOfTheirUseIsReadAnew() {
    String config = "DECAY_FACTOR 0.5\nENFORCE_ALLOCATION True\nSCHED_ACCT_DIR /opt/acct\n";
    String none = user(shards.running("ann"));
    assertEquals(Map.of(), groupStarts(), "without the files nothing is counted");
    assertEquals(0, load(config, "").getCode());
    String allocations = "P= t = " + group(none) + " = 100\n";
    reads(allocations, "");
    shards.running("bob");
    assertEquals(Map.of(group(none), 10_000L), groupStarts());
    reads(allocations, "");
    assertEquals(Map.of(group(none), 10_000L), groupStarts(), "the same file");
    shards.nowMs += 1000;
    reads(allocations, "ann " + group(none) + " 1 20\n");
    assertEquals(Map.of(), groupStarts(), "the file has what was used until then");
    reads("nonsense\n", "ann " + group(none) + " 1 20\n");
    PolicyInput kept = shards.tables(0).schedulers().get(DEFAULT).getInputs().get(0);
    assertEquals(allocations, kept.getContent());
    assertTrue(kept.getProblem().startsWith("allocations:1: no line tells"), kept.getProblem());
  }

  @Test
  void usageOfGroupsWithoutAllocationLeftFadesByTheirFactor() {
    String config =
        "DECAY_FACTOR 0.5\nOA_DECAY_FACTOR 0.9\nENFORCE_ALLOCATION True\n"
            + "SCHED_ACCT_DIR /opt/acct\n";
    assertEquals(0, load(config, "over:ann 100\nunder:bob 100\n").getCode());
    reads("P= t = over = 5\nP= t = under = 50\n", "x over 1 5\nx under 1 5\n");
    shards.running("cid");
    shards.pass(DAY_MS + 1000);
    assertEquals(90, figure("over:ann"), 0.01);
    assertEquals(50, figure("under:bob"), 0.01);
  }

  @Test
  void underAnotherPolicyNoStartIsCharged() {
    Reply left = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, DEFAULT, "policy=fifo");
    assertEquals(0, left.getCode());
    shards.running("ann");
    assertEquals(List.of(), shards.facts(UsageCharged.class));
  }
}
