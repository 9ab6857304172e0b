package io.millrace.server.core.run.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signals, suspensions and their ends. */
class SuspendTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");
  private final String job = run.getJobId();

  private int signal(CommandMeta by, String signal) {
    return shards.code(0, Calls.signal(by, job, signal));
  }

  private SignalRun lastOrder() {
    List<SignalRun> orders = orders();
    return orders.get(orders.size() - 1);
  }

  private List<SignalRun> orders() {
    return shards.dispatch().stream()
        .filter(SignalRun.class::isInstance)
        .map(SignalRun.class::cast)
        .toList();
  }

  private int resume() {
    return shards.code(
        0, new ResumeRun(shards.engine("default"), "default", shards.epoch("default"), job, 1));
  }

  private int suspend() {
    return shards.code(
        0, new SuspendRun(shards.engine("default"), "default", shards.epoch("default"), job, 1));
  }

  private long assigned() {
    Queue queue = shards.tables(0).queues().get("workq");
    return queue.getAssigned().getOrDefault("ncpus", 0L);
  }

  @Test
  void aSignalGoesToTheHostWithItsNumberAndIsCounted() {
    assertEquals(0, signal(shards.user("ann"), "SIGUSR1"));
    assertEquals(0, signal(shards.user("ann"), "STOP"));
    assertEquals(0, signal(shards.operator(), "12"));
    assertEquals(
        List.of("1 10", "2 19", "3 12"),
        orders().stream().map(order -> order.getOrder() + " " + order.getSignal()).toList());
    assertEquals(15007, signal(shards.user("bob"), "TERM"));
    assertEquals(15013, signal(shards.user("ann"), "NOSUCH"));
    assertEquals(15013, signal(shards.user("ann"), "65"));
    assertEquals(15029, signal(shards.operator(), "admin-suspend"));
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
  }

  @Test
  void whatASuspendedRunHeldIsFreeUntilItGoesOn() {
    shards.started(run);
    assertEquals(15007, signal(shards.user("ann"), "suspend"));
    shards.nowMs += 5000;
    assertEquals(0, signal(shards.operator(), "suspend"));
    Job suspended = shards.job(job);
    assertEquals(JobStatus.RUNNING, suspended.getStatus());
    assertEquals(Suspension.OPERATOR, suspended.getSuspension());
    assertTrue(suspended.getRanMs() >= 5000 && suspended.getRanMs() < 5100, "" + suspended);
    assertEquals("suspend", lastOrder().getSignal());
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(1, shards.tables(0).nodes().get("n0").getSuspended().size());
    assertEquals(0, assigned());
    assertEquals(15016, signal(shards.operator(), "suspend"));
    assertEquals(15016, resume(), "nobody asked for it");
    assertEquals(0, signal(shards.operator(), "resume"));
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension());
    shards.nowMs += 60_000;
    assertEquals(0, resume());
    assertEquals("resume", lastOrder().getSignal());
    assertEquals(2, lastOrder().getOrder());
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
    assertEquals(1, shards.holdings(0, "n0").size());
    assertEquals(1, assigned());
    assertEquals(15016, signal(shards.operator(), "resume"));
    assertEquals(15016, resume());
    shards.nowMs += 2000;
    assertEquals(0, suspend());
    long ranMs = shards.job(job).getRanMs();
    assertTrue(ranMs >= 7000 && ranMs < 7200, "without the time of standing still: " + ranMs);
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension(), "by its scheduler");
  }

  @Test
  void itGoesOnOnlyWhereItsRoomIsFree() {
    assertEquals(0, suspend());
    String other = shards.submit(Calls.job("bob", "workq", 4));
    assertEquals(0, shards.grant(other, "default", "n0", 4).getCode());
    StartRun inItsPlace = shards.lastStart();
    assertEquals(15401, resume());
    shards.finished(inItsPlace, 0);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(15401, resume());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=free");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=False");
    assertEquals(15400, resume());
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=True");
    assertEquals(0, resume());
  }

  @Test
  void aSuspendedRunEndsLikeAnyOther() {
    shards.started(run);
    assertEquals(0, suspend());
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), job, false)));
    assertEquals(1, shards.lastKill().getRun());
    assertEquals(15016, resume(), "it is being deleted");
    shards.finished(run, 271);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(List.of(), shards.tables(0).nodes().get("n0").getSuspended());
    assertEquals(0, assigned());
    assertEquals(15139, signal(shards.operator(), "suspend"));
  }

  @Test
  void theNextRunBeginsAnew() {
    assertEquals(0, suspend());
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), job)));
    shards.finished(run, 271);
    Job waiting = shards.job(job);
    assertEquals(JobStatus.QUEUED, waiting.getStatus());
    assertEquals(Suspension.NONE, waiting.getSuspension());
    assertEquals(0, waiting.getOrders());
    assertEquals(15016, signal(shards.operator(), "suspend"), "it does not run");
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(15016, suspend(), "that run is over");
  }

  @Test
  void aHostThatComesBackIsAskedAfterItAndToldHowItStands() {
    shards.started(run);
    assertEquals(0, suspend());
    shards.nodeUp("n0", 4);
    AskRuns question =
        (AskRuns)
            shards.dispatch().stream().filter(AskRuns.class::isInstance).reduce((a, b) -> b).get();
    assertEquals(job, question.getRuns().get(0).getJobId());
    assertEquals("1 suspend", lastOrder().getOrder() + " " + lastOrder().getSignal());
    assertEquals(2, orders().size());
  }

  @Test
  void aNodeWithASuspendedRunStaysWhereItIs() {
    assertEquals(0, suspend());
    assertEquals(
        15227,
        shards.qmgr(ChangeOperation.SET, ObjectKind.NODE, "n0", "partition=peast").getCode());
  }

  private void look(int shard) {
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.send(shard, new Continue(meta, StrandedRuns.WORK, ""));
    shards.run();
  }

  @Test
  void aRunWhoseQueueWentToAnotherShardGoesOnByItsOwnShardsWord() {
    shards.started(run);
    assertEquals(0, signal(shards.operator(), "suspend"));
    look(0);
    assertEquals(Suspension.OPERATOR, shards.job(job).getSuspension(), "nobody asked for it");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=peast");
    assertEquals(0, signal(shards.operator(), "resume"));
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
    assertEquals("2 resume", lastOrder().getOrder() + " " + lastOrder().getSignal());
    assertEquals(1, shards.holdings(0, "n0").size());
    shards.finished(run, 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }

  @Test
  void aStrandedRunWaitsForItsRoomAndItsQueue() {
    String second = shards.running("bob").getJobId();
    assertEquals(0, suspend());
    assertEquals(0, shards.code(0, Calls.signal(shards.operator(), second, "suspend")));
    assertEquals(0, shards.code(0, Calls.signal(shards.operator(), second, "resume")));
    String other = shards.submit(Calls.job("bob", "workq", 4));
    assertEquals(0, shards.grant(other, "default", "n0", 4).getCode());
    StartRun inTheirPlace = shards.lastStart();
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=peast");
    look(0);
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension(), "there is no room");
    shards.finished(inTheirPlace, 0);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=False");
    look(0);
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension(), "nothing of it may start");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=True");
    look(0);
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
    assertEquals(Suspension.NONE, shards.job(second).getSuspension());
    assertEquals(2, shards.holdings(0, "n0").size());
  }

  @Test
  void aRunThatItsEngineCanProposeIsLeftToIt() {
    assertEquals(0, suspend());
    look(0);
    assertEquals(Suspension.RESUMABLE, shards.job(job).getSuspension());
  }

  @Test
  void aRunOfAPartitionThatNobodyServesGoesOn() {
    String eastern = shards.submit(Calls.job("bob", "east", 1));
    assertEquals(0, shards.grant(eastern, "es", "e0", 1).getCode());
    int shard = shards.where(eastern);
    assertEquals(0, shards.code(shard, Calls.signal(shards.operator(), eastern, "suspend")));
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition=pelse");
    assertEquals(0, shards.code(shard, Calls.signal(shards.operator(), eastern, "resume")));
    assertEquals(Suspension.NONE, shards.job(eastern).getSuspension());
  }

  @Test
  void aRunWhoseQueueGotOtherNodesOfTheSameShardGoesOnWhereItIs() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition=peast,pmore");
    String eastern = shards.submit(Calls.job("bob", "east", 1));
    assertEquals(0, shards.grant(eastern, "es", "e0", 1).getCode());
    int shard = shards.where(eastern);
    assertEquals(0, shards.code(shard, Calls.signal(shards.operator(), eastern, "suspend")));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pmore");
    assertEquals(shard, shards.shardOfQueue("east"));
    assertEquals(0, shards.code(shard, Calls.signal(shards.operator(), eastern, "resume")));
    assertEquals(Suspension.NONE, shards.job(eastern).getSuspension());
  }

  @Test
  void aRunWhoseNodeWasBoundToAnotherQueueGoesOnWhereItIs() {
    assertEquals(0, suspend());
    shards.queue("wq1", "");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "queue=wq1");
    look(0);
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
  }

  @Test
  void aRunWhoseQueueGotNodesOfItsOwnGoesOnWhereItIs() {
    assertEquals(0, suspend());
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1", "queue=workq");
    look(0);
    assertEquals(Suspension.NONE, shards.job(job).getSuspension());
  }

  @Test
  void signalsToOneRunAreBoundedAndHideNothing() {
    assertEquals(0, suspend());
    for (int i = 0; i < 999; i++) {
      assertEquals(0, signal(shards.user("ann"), "CHLD"));
    }
    assertEquals(15016, signal(shards.user("ann"), "CHLD"));
    assertEquals(1000, orders().size());
    List<String> told = shards.job(job).getEvents().stream().map(JobEvent::getWhat).toList();
    assertTrue(told.contains("suspended") && told.contains("granted"), told.toString());
    assertEquals(0, resume(), "an operator may always say how it stands");
    assertEquals(0, signal(shards.operator(), "suspend"));
  }

  @Test
  void aRollCallSaysOnceHowARunStandsThatGotAnotherOrderSince() {
    Chunk two = new Chunk(2, Map.of("ncpus", 1L), Map.of());
    String wide = shards.submit(Calls.job("ann", "workq", Calls.request("", two)));
    NodeShare[] twice = {Calls.share("n0", 1, 1), Calls.share("n0", 1, 1)};
    CommandMeta engine = shards.engine("default");
    long epoch = shards.epoch("default");
    assertEquals(0, shards.code(0, Calls.run(engine, "default", epoch, wide, twice)));
    assertEquals(0, shards.code(0, Calls.signal(shards.operator(), wide, "suspend")));
    assertEquals(0, shards.code(0, Calls.signal(shards.user("ann"), wide, "USR1")));
    int before = orders().size();
    shards.nodeUp("n0", 4);
    assertEquals("suspend", lastOrder().getSignal());
    assertEquals(before + 1, orders().size());
  }

  private void callTheRoll() {
    shards.nowMs += RollCall.INTERVAL_MS;
    CommandMeta meta = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    shards.send(0, new Continue(meta, RollCall.WORK, ""));
    shards.run();
  }

  @Test
  void howARunStandsIsSaidAgainSinceNoHostAnswersThat() {
    shards.started(run);
    callTheRoll();
    assertEquals(List.of(), orders(), "nobody ever said how it stands");
    assertEquals(0, signal(shards.operator(), "suspend"));
    callTheRoll();
    assertEquals("1 suspend", lastOrder().getOrder() + " " + lastOrder().getSignal());
    assertEquals(2, orders().size());
    assertEquals(0, signal(shards.operator(), "resume"));
    assertEquals(0, resume());
    int before = orders().size();
    callTheRoll();
    callTheRoll();
    assertEquals("2 resume", lastOrder().getOrder() + " " + lastOrder().getSignal());
    assertEquals(before + 2, orders().size());
  }
}
