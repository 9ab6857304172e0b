package io.millrace.server.core.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ChangeUsage;
import io.millrace.schemas.command.NoteUsage;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.RunUsed;
import io.millrace.schemas.command.UsageChange;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What entities are charged for runs: once, whatever happens to the run. */
class ShareTest {
  private static final String CONFIG =
      "fair_share: true\nfairshare_usage_res: ncpus*walltime\n"
          + "fairshare_decay_time: 1:00:00\nfairshare_decay_factor: 0.5\n";

  private static final long HOUR_MS = 3_600_000;
  private static final String DEFAULT = "default";

  private final TestShards shards = TestShards.threePartitions();

  @BeforeEach
  void loads() {
    assertEquals(0, load(CONFIG, "ann 10 root 1\nbob 11 root 1\n").getCode());
  }

  private Reply load(String config, String group) {
    return load(DEFAULT, config, group);
  }

  private Reply load(String scheduler, String config, String group) {
    String text =
        StoredPolicy.join(Map.of("sched_config", config, "resource_group", group), "Europe/Berlin");
    return shards.qmgr(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        scheduler,
        "policy=sched_config",
        "sched_config=" + text);
  }

  private StartRun running(String user) {
    StartRun run = shards.running(user);
    shards.started(run);
    return run;
  }

  private static Usage walltime(long seconds) {
    return Usage.newBuilder().setWalltimeS(seconds).build();
  }

  private void sample(StartRun run, long seconds) {
    long job = shards.job(run.getJobId()).getNumber();
    shards.send(
        0,
        new NoteUsage(
            shards.calls.silent("shard-0", Role.SHARD, shards.nowMs),
            DEFAULT,
            List.of(new RunUsed(job, run.getRun(), walltime(seconds)))));
    shards.run();
  }

  private void ends(StartRun run, long seconds, int status) {
    ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, status);
    end.setUsed(walltime(seconds));
    shards.ask(run.getShard(), end);
  }

  /** What an entity has used by now beyond the least, in seconds of one processor. */
  private double used(String entity) {
    return used(DEFAULT, entity);
  }

  private double used(String name, String entity) {
    Tables its = shards.tables(shards.shardOfScheduler(name));
    Scheduler scheduler = its.schedulers().get(name);
    EntityUsage usage = Charges.find(its, name, entity);
    return usage == null ? 0 : (Charges.milli(usage, scheduler.getFaded()) - 1000) / 1000.0;
  }

  @Test
  void theEndOfARunChargesWhatItUsed() {
    ends(running("ann"), 100, 0);
    assertEquals(100, used("ann"));
    assertEquals(0, used("bob"));
  }

  /** Two schedulers with fair share, each with a run of the same user. */
  @Test
  void eachSchedulerChargesItsOwnRuns() {
    assertEquals(0, load("es", CONFIG, "ann 10 root 1\nbob 11 root 9\n").getCode());
    String east = shards.submit(Calls.job("ann", "east", 2));
    assertEquals(0, shards.grant(east, "es", "e0", 2).getCode());
    ends(shards.lastStart(), 50, 0);
    assertEquals(100, used("es", "ann"), "two processors");
    assertEquals(0, used("ann"));
    ends(running("ann"), 30, 0);
    assertEquals(30, used("ann"));
    assertEquals(100, used("es", "ann"));
    assertEquals(0, used("ws", "ann"), "without fair share nothing is charged");
  }

  @Test
  void whatWasChargedWhileItRanIsNotChargedAgain() {
    StartRun run = running("ann");
    sample(run, 60);
    assertEquals(60, used("ann"));
    sample(run, 60);
    sample(run, 30);
    assertEquals(60, used("ann"), "a sample that is repeated, and one that comes late");
    sample(run, 90);
    ends(run, 100, 0);
    assertEquals(100, used("ann"));
    sample(run, 500);
    assertEquals(100, used("ann"), "the run has ended");
    assertEquals(3, shards.facts(UsageCharged.class).size());
  }

  @Test
  void whatSamplesHadCountedTooMuchIsTakenBack() {
    StartRun run = running("ann");
    sample(run, 61);
    ends(run, 60, 0);
    assertEquals(60, used("ann"));
  }

  @Test
  void eachRunOfAJobIsChargedOnce() {
    StartRun run = running("ann");
    sample(run, 40);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), run.getJobId())));
    ends(run, 50, 271);
    assertEquals(1, shards.facts(RunRequeued.class).size());
    assertEquals(50, used("ann"));
    assertEquals(0, shards.grant(run.getJobId(), DEFAULT, "n0", 1).getCode());
    StartRun again = shards.lastStart();
    shards.started(again);
    assertNotEquals(run.getRun(), again.getRun());
    sample(run, 500);
    sample(again, 10);
    ends(again, 20, 0);
    assertEquals(70, used("ann"));
  }

  @Test
  void usageFadesByShardTimeAndTheMomentCountsAsInTime() {
    ends(running("ann"), 400, 0);
    shards.pass(HOUR_MS + 1000);
    assertEquals(199.5, used("ann"), "1 + 400 halved, less the 1 that nobody falls below");
    assertEquals(1, shards.facts(UsageFaded.class).size());
    shards.pass(2 * HOUR_MS);
    assertEquals(401 / 8.0 - 1, used("ann"), 0.001);
    ends(running("bob"), 80, 0);
    assertEquals(80, used("bob"), "used after it had faded");
  }

  @Test
  void aManagerSetsAndFadesAndForgets() {
    ends(running("ann"), 100, 0);
    ends(running("carl"), 100, 0);
    assertEquals(0, change(UsageChange.SET, "ann", 501_000, true));
    assertEquals(500, used("ann"));
    assertEquals(0, change(UsageChange.FADE, "", 0, true));
    assertEquals(249.5, used("ann"));
    assertEquals(0, change(UsageChange.FORGET, "", 0, true));
    assertEquals(0, used("carl"), "nobody named him");
    assertEquals(249.5, used("ann"));
    assertNotEquals(0, change(UsageChange.FADE, "", 0, false));
    assertEquals(249.5, used("ann"));
  }

  private int change(UsageChange what, String entity, long milli, boolean manager) {
    return shards.code(
        0,
        new ChangeUsage(
            manager ? shards.manager() : shards.user("ann"), DEFAULT, what, entity, milli));
  }

  @Test
  void whatTheTextSaysStandsInAttributesThatNobodySets() {
    ClusterObject object = PartitionTable.scheduler(shards.tables(0), DEFAULT);
    assertEquals("euser", Context.attribute(object, "fairshare_entity", ""));
    assertEquals("ncpus*walltime", Context.attribute(object, "fairshare_usage_res", ""));
    assertEquals("3600", Context.attribute(object, "fairshare_decay_time", ""));
    assertEquals("0.5", Context.attribute(object, "fairshare_decay_factor", ""));
    Reply refused =
        shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, DEFAULT, "fairshare_entity=queue");
    assertNotEquals(0, refused.getCode());
    assertEquals(0, load("by_queue: true\n", "").getCode());
    object = PartitionTable.scheduler(shards.tables(0), DEFAULT);
    assertEquals("", Context.attribute(object, "fairshare_entity", ""));
  }

  @Test
  void withoutFairShareNothingIsCharged() {
    assertEquals(0, load("by_queue: true\n", "").getCode());
    ends(running("ann"), 100, 0);
    assertEquals(List.of(), shards.facts(UsageCharged.class));
    assertNull(Charges.find(shards.tables(0), DEFAULT, "ann"));
  }

  @Test
  void aTextThatCannotBeObeyedChangesNothing() {
    Reply wrong = load("by_queu: true\n", "ann 10 root -1\n");
    assertNotEquals(0, wrong.getCode());
    String said = String.join(" ", wrong.getLines());
    assertTrue(said.contains("sched_config:1: there is no option 'by_queu'"), said);
    assertTrue(said.contains("resource_group:1: 'ann' has -1 shares"), said);
    Reply none = shards.qmgr(ChangeOperation.UNSET, ObjectKind.SCHEDULER, DEFAULT, "sched_config=");
    assertTrue(String.join(" ", none.getLines()).contains("no sched_config was loaded"));
    ends(running("ann"), 100, 0);
    assertEquals(100, used("ann"), "the first text is in force");
  }

  @Test
  void everybodyBeyondTheMostEntitiesIsUnknown() {
    Scheduler full = Scheduler.newBuilder(shards.tables(0).schedulers().get(DEFAULT)).build();
    full.setEntities(Charges.ENTITIES_MAX);
    shards.tables(0).schedulers().put(DEFAULT, full);
    ends(running("ann"), 100, 0);
    assertEquals(0, used("ann"));
    assertEquals(100, used("unknown"));
  }
}
