package io.millrace.server.core.admission;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.command.ChangeOperation.UNSET;
import static io.millrace.schemas.common.ObjectKind.NODE;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.SCHEDULER;
import static io.millrace.schemas.common.ObjectKind.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.LimitAsked;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.run.suspend.StrandedRuns;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the server has of a resource is there for the runs of all shards together. */
class RunningAmountsTest {
  private static final int NO_MORE = PbsError.INSUFFICIENT.code();

  private final TestShards shards = TestShards.threePartitions();

  private void available(String amount) {
    shards.must(SET, SERVER, "", "resources_available.ncpus=" + amount);
  }

  private String job(String queue, int ncpus) {
    return shards.submit(Calls.job("ann", queue, ncpus));
  }

  /** As an engine does: again when the shard may have got more meanwhile. */
  private int start(String scheduler, String queue, String node, int ncpus) {
    String job = job(queue, ncpus);
    int code = shards.grant(job, scheduler, node, ncpus).getCode();
    return code == NO_MORE ? shards.grant(job, scheduler, node, ncpus).getCode() : code;
  }

  @Test
  void runsOfAllShardsCountTogether() {
    available("5");
    assertEquals(0, start("es", "east", "e0", 2));
    StartRun east = shards.lastStart();
    assertEquals(0, start("ws", "west", "w0", 2));
    assertEquals(NO_MORE, start("default", "workq", "n0", 2));
    assertEquals(0, start("default", "workq", "n0", 1));
    shards.finished(east, 0);
    assertEquals(0, start("default", "workq", "n0", 2));
    assertEquals(NO_MORE, start("es", "east", "e0", 1));
  }

  @Test
  void theRefusalSaysOfWhatThereIsTooLittle() {
    available("1");
    Reply reply = shards.grant(job("workq", 2), "default", "n0", 2);
    assertEquals(List.of("Insufficient amount of resource: ncpus of the server"), reply.getLines());
    assertEquals(List.of(), shards.facts(LimitAsked.class), "so much there never is");
  }

  @Test
  void theEngineIsToldWhatIsLeft() {
    available("3");
    assertEquals(0, start("es", "east", "e0", 2));
    assertEquals(NO_MORE, start("ws", "west", "w0", 2));
    List<LimitGranted> told = shards.facts(shards.shardOfScheduler("ws"), LimitGranted.class);
    assertEquals(1, told.get(0).getLeft());
    assertTrue(told.get(0).getExhausted());
  }

  @Test
  void whoHasLeasedAmplyNeedNotAskForEachStart() {
    available("100");
    for (int i = 0; i < 60; i++) {
      assertEquals(0, start("es", "east", "e0", 1));
      shards.finished(shards.lastStart(), 0);
    }
    assertEquals(1, shards.facts(LimitAsked.class).size());
  }

  @Test
  void withoutTheAttributeNothingIsAsked() {
    assertEquals(0, start("es", "east", "e0", 4));
    available("1");
    shards.must(UNSET, SERVER, "", "resources_available.ncpus");
    assertEquals(0, start("ws", "west", "w0", 4));
    assertEquals(List.of(), shards.facts(LimitAsked.class));
  }

  @Test
  void whereOnePartitionIsAllItsEngineCounts() {
    TestShards one = TestShards.initialised();
    one.must(CREATE, NODE, "n0");
    one.nodeUp("n0", 4);
    one.startEngine("default");
    one.must(SET, SERVER, "", "resources_available.ncpus=2");
    one.running("ann");
    assertEquals(List.of(), one.facts(LimitAsked.class));
  }

  /** One scheduler counts its own jobs only, so that it has to be told of those of the other. */
  @Test
  void twoSchedulersOfOneShardAreBothTold() {
    int shard = shards.shardOfScheduler("ws");
    List<String> others = new ArrayList<>();
    for (int i = 0; others.isEmpty(); i++) {
      String name = "s" + i;
      shards.must(CREATE, SCHEDULER, name);
      shards.must(SET, SCHEDULER, name, "partition=p" + i);
      if (shards.shardOfScheduler(name) == shard) {
        others.add(name);
        shards.queue("q" + i, "p" + i);
        shards.must(CREATE, NODE, "m" + i, "partition=p" + i);
        shards.nodeUp("m" + i, 4);
        shards.startEngine(name);
      }
    }
    String second = others.get(0).substring(1);
    available("3");
    assertEquals(0, start("s" + second, "q" + second, "m" + second, 2));
    int before = shards.facts(shard, LimitGranted.class).size();
    assertEquals(NO_MORE, start("ws", "west", "w0", 2));
    List<LimitGranted> told = shards.facts(shard, LimitGranted.class);
    assertTrue(told.size() > before);
    assertTrue(told.get(told.size() - 1).getExhausted());
    assertEquals(1, told.get(told.size() - 1).getLeft());
  }

  /** As in PBS: who may say qrun need not mind limits; what it started counts. */
  @Test
  void qrunCountsAndIsNotRefused() {
    available("2");
    String job = job("east", 3);
    assertEquals(0, shards.code(shards.where(job), new RunNow(shards.manager(), job, List.of())));
    assertEquals(NO_MORE, start("ws", "west", "w0", 1));
  }

  @Test
  void aShardThatIsAwayKeepsWhatItHas() {
    available("4");
    assertEquals(0, start("es", "east", "e0", 1));
    shards.silence(shards.shardOfScheduler("es"), true);
    assertEquals(NO_MORE, start("ws", "west", "w0", 2), "it may have the rest");
    shards.silence(shards.shardOfScheduler("es"), false);
    shards.run();
    assertEquals(0, start("ws", "west", "w0", 2));
  }

  @Test
  void aPartitionThatGoesToAnotherSchedulerTakesNothingTwice() {
    available("3");
    assertEquals(0, start("es", "east", "e0", 2));
    shards.must(UNSET, SCHEDULER, "es", "partition");
    shards.must(SET, SCHEDULER, "ws", "partition+=peast");
    assertEquals(NO_MORE, start("ws", "west", "w0", 2));
    assertEquals(0, start("ws", "west", "w0", 1));
  }

  @Test
  void whileMoreIsInUseThanThereIsNoRunFollowsOneThatEnded() {
    available("6");
    assertEquals(0, start("es", "east", "e0", 1));
    StartRun east = shards.lastStart();
    assertEquals(0, start("es", "east", "e0", 1));
    assertEquals(0, start("ws", "west", "w0", 3));
    StartRun west = shards.lastStart();
    available("4");
    assertEquals(NO_MORE, start("es", "east", "e0", 1));
    shards.finished(east, 0);
    assertEquals(NO_MORE, start("es", "east", "e0", 1), "4 of 4 are in use");
    shards.finished(west, 0);
    assertEquals(0, start("es", "east", "e0", 3));
  }

  @Test
  void whatAnOperatorStartedLeavesNothingBehind() {
    available("2");
    assertEquals(0, start("ws", "west", "w0", 2));
    String job = job("east", 1);
    assertEquals(0, shards.code(shards.where(job), new RunNow(shards.manager(), job, List.of())));
    StartRun byOperator = shards.lastStart();
    assertEquals(NO_MORE, start("es", "east", "e0", 1), "a round counts it");
    shards.finished(byOperator, 0);
    assertEquals(NO_MORE, start("es", "east", "e0", 1));
  }

  /** Four runs of one processor in the east. */
  private List<StartRun> fullEast() {
    available("4");
    List<StartRun> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      assertEquals(0, start("es", "east", "e0", 1));
      runs.add(shards.lastStart());
    }
    return runs;
  }

  /** A run ends, and its scheduler tries to have another one follow, since it always has jobs. */
  private void follow(List<StartRun> runs) {
    shards.finished(runs.remove(0), 0);
    if (start("es", "east", "e0", 1) == 0) {
      runs.add(shards.lastStart());
    }
    shards.pass(2_000);
  }

  @Test
  void whoAlwaysHasJobsLeavesAPartToWhoHasLess() {
    List<StartRun> east = fullEast();
    int west = 0;
    for (int i = 0; i < 10; i++) {
      west += start("ws", "west", "w0", 1) == 0 ? 1 : 0;
      follow(east);
      assertTrue(east.size() >= 2, "nobody has less than his part");
    }
    assertEquals(2, west, "its half");
    assertEquals(2, east.size());
  }

  @Test
  void aJobThatNeedsMoreThanAPartKeepsNothingIdle() {
    List<StartRun> east = fullEast();
    for (int i = 0; i < 4; i++) {
      assertEquals(NO_MORE, start("ws", "west", "w0", 4));
      follow(east);
      assertEquals(4, east.size(), "what ends is followed");
    }
  }

  @Test
  void whoNeedsNothingAnyMoreKeepsNobodyWaiting() {
    List<StartRun> east = fullEast();
    assertEquals(NO_MORE, start("ws", "west", "w0", 1));
    follow(east);
    assertEquals(3, east.size());
    shards.pass(20_000);
    assertEquals(0, start("es", "east", "e0", 1));
  }

  private int suspend(String scheduler, StartRun run) {
    return shards.code(
        shards.shardOfScheduler(scheduler),
        new SuspendRun(
            shards.engine(scheduler),
            scheduler,
            shards.epoch(scheduler),
            run.getJobId(),
            run.getRun()));
  }

  private int resume(String scheduler, StartRun run) {
    return shards.code(
        shards.shardOfScheduler(scheduler),
        new ResumeRun(
            shards.engine(scheduler),
            scheduler,
            shards.epoch(scheduler),
            run.getJobId(),
            run.getRun()));
  }

  @Test
  void aRunThatIsSuspendedGoesOnWithinWhatThereIs() {
    available("5");
    assertEquals(0, start("es", "east", "e0", 2));
    StartRun east = shards.lastStart();
    assertEquals(0, suspend("es", east));
    assertEquals(0, start("ws", "west", "w0", 4));
    StartRun west = shards.lastStart();
    for (int i = 0; i < 3; i++) {
      assertEquals(NO_MORE, resume("es", east), "one is left");
    }
    assertEquals(Suspension.RESUMABLE, shards.job(east.getJobId()).getSuspension());
    shards.finished(west, 0);
    assertEquals(NO_MORE, resume("es", east), "it asks first");
    assertEquals(0, resume("es", east));
  }

  private void look(int shard) {
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.send(shard, new Continue(meta, StrandedRuns.WORK, ""));
    shards.run();
  }

  /** Suspends runs of one processor in workq, whose queue then goes to another shard. */
  private List<StartRun> stranded(int runs) {
    List<StartRun> all = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      assertEquals(0, start("default", "workq", "n0", 1));
      all.add(shards.lastStart());
      assertEquals(0, suspend("default", all.get(i)));
    }
    shards.must(SET, QUEUE, "workq", "partition=peast");
    return all;
  }

  private long goOn(List<StartRun> runs) {
    return runs.stream()
        .filter(run -> shards.job(run.getJobId()).getSuspension() == Suspension.NONE)
        .count();
  }

  @Test
  void strandedRunsGoOnWithinWhatThereIs() {
    available("5");
    List<StartRun> runs = stranded(3);
    assertEquals(0, start("ws", "west", "w0", 4));
    StartRun west = shards.lastStart();
    for (int i = 0; i < 3; i++) {
      look(0);
    }
    assertEquals(1, goOn(runs), "one is left");
    shards.finished(west, 0);
    for (int i = 0; i < 2; i++) {
      look(0);
    }
    assertEquals(3, goOn(runs));
  }

  @Test
  void whatIsTooLittleForManyStrandedRunsIsAskedForOnce() {
    available("4");
    List<StartRun> runs = stranded(3);
    assertEquals(0, start("ws", "west", "w0", 4));
    int asked = shards.facts(0, LimitAsked.class).size();
    look(0);
    assertEquals(0, goOn(runs));
    assertEquals(1, shards.facts(0, LimitAsked.class).size() - asked);
  }

  /** As with qrun: an operator need not mind limits; what he resumed counts from the next round. */
  @Test
  void anOperatorsResumptionOfAStrandedRunIsNotRefused() {
    available("4");
    List<StartRun> runs = stranded(1);
    assertEquals(0, start("ws", "west", "w0", 4));
    StartRun west = shards.lastStart();
    String job = runs.get(0).getJobId();
    assertEquals(0, shards.code(0, Calls.signal(shards.operator(), job, "resume")));
    assertEquals(1, goOn(runs));
    shards.finished(west, 0);
    assertEquals(NO_MORE, start("es", "east", "e0", 4));
    assertEquals(0, start("es", "east", "e0", 3));
  }
}
