package io.millrace.server.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Epochs of engines and what cycles record. */
class EngineTest {
  private final TestShards shards = TestShards.threePartitions();

  private RecordCycle cycle(
      String scheduler, long epoch, List<ClassReason> reasons, String... cleared) {
    return RecordCycle.newBuilder()
        .setMeta(shards.engine(scheduler))
        .setScheduler(scheduler)
        .setEpoch(epoch)
        .setCycle(5)
        .setWorkUnits(9)
        .setWorkLimitHit(true)
        .setReasons(reasons)
        .setCleared(List.of(cleared))
        .build();
  }

  private static ClassReason reason(String key) {
    return ClassReason.newBuilder().setClassKey(key).setCode("INSUFFICIENT_NODE").build();
  }

  @Test
  void aStartIsPassedOnToTheShardOfTheSchedulerAndHasANewEpoch() {
    long before = shards.epoch("es");
    assertEquals(0, shards.code(0, Calls.startEngine(shards.engine("es"), "es", false)));
    assertTrue(shards.epoch("es") > before);
    assertEquals(15213, shards.code(0, Calls.startEngine(shards.engine("no"), "no", false)));
  }

  @Test
  void aShadowIsNeverObeyedAndChangesNothing() {
    Scheduler before = shards.tables(0).schedulers().get("default");
    StartEngine shadow = Calls.startEngine(shards.engine("default"), "default", true);
    assertEquals(0, shards.code(0, shadow));
    assertEquals(before, shards.tables(0).schedulers().get("default"));
    List<EngineStarted> starts = shards.facts(0, EngineStarted.class);
    long epoch = starts.get(starts.size() - 1).getEpoch();
    String job = shards.submit(Calls.job("ann", "workq", 1));
    RunJob run =
        Calls.run(shards.engine("default"), "default", epoch, job, Calls.share("n0", 1, 1));
    assertEquals(PbsError.STALE_PROPOSAL.code(), shards.code(0, run));
    assertEquals(
        PbsError.STALE_PROPOSAL.code(), shards.code(0, cycle("default", epoch, List.of())));
  }

  @Test
  void anEpochNeverComesBack() {
    Set<Long> epochs = new HashSet<>();
    Map<Integer, Long> last = new HashMap<>();
    for (int i = 0; i < 12; i++) {
      int shard = shards.shardOfScheduler("es");
      long epoch = shards.startEngine("es");
      assertTrue(epochs.add(epoch), "epoch " + epoch + " came back");
      Long before = last.put(shard, epoch);
      assertTrue(before == null || before < epoch);
      shards.must(ChangeOperation.DELETE, ObjectKind.SCHEDULER, "es");
      assertNull(shards.tables(shard).schedulers().get("es"));
      shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "es");
    }
  }

  @Test
  void reasonsAreRecordedAndCleared() {
    long epoch = shards.epoch("default");
    shards.ask(0, cycle("default", epoch, List.of(reason("a"), reason("b"))));
    shards.ask(0, cycle("default", epoch, List.of(), "a"));
    assertNull(shards.tables(0).reasons().get(Keys.reason("default", "a")));
    assertEquals(
        reason("b"), shards.tables(0).reasons().get(Keys.reason("default", "b")).getReason());
    Scheduler state = shards.tables(0).schedulers().get("default");
    assertEquals(5, state.getCycles());
    assertEquals(9, state.getLastWorkUnits());
    assertTrue(state.getWorkLimitHit());
  }

  @Test
  void promisesAreForgottenWhenAnotherEngineBegins() {
    String promised = RequestClass.promise(7);
    long epoch = shards.epoch("default");
    shards.ask(
        0,
        cycle(
            "default",
            epoch,
            List.of(reason("a"), reason(promised), reason(RequestClass.PROMISES))));
    assertNotNull(shards.tables(0).reasons().get(Keys.reason("default", promised)));
    shards.ask(0, Calls.startEngine(shards.engine("default"), "default", true));
    assertNotNull(shards.tables(0).reasons().get(Keys.reason("default", promised)));
    shards.ask(0, Calls.startEngine(shards.engine("default"), "default", false));
    assertNull(shards.tables(0).reasons().get(Keys.reason("default", promised)));
    assertNull(shards.tables(0).reasons().get(Keys.reason("default", RequestClass.PROMISES)));
    assertNotNull(shards.tables(0).reasons().get(Keys.reason("default", "a")));
  }

  @Test
  void staleAndTooLargeRecordsAreRefused() {
    long epoch = shards.epoch("default");
    RecordCycle old = cycle("default", epoch - 1, List.of(reason("a")));
    assertEquals(PbsError.STALE_PROPOSAL.code(), shards.code(0, old));
    RecordCycle large =
        cycle("default", epoch, Collections.nCopies(Deciders.REASONS_MAX + 1, reason("a")));
    assertEquals(15031, shards.code(0, large));
    assertEquals(0, shards.facts(CycleRecorded.class).size());
  }

  @Test
  void theReasonsOfADeletedSchedulerGoWithIt() {
    int shard = shards.shardOfScheduler("es");
    shards.ask(shard, cycle("es", shards.epoch("es"), List.of(reason("a"))));
    assertNotNull(shards.tables(shard).reasons().get(Keys.reason("es", "a")));
    shards.must(ChangeOperation.DELETE, ObjectKind.SCHEDULER, "es");
    assertNull(shards.tables(shard).reasons().get(Keys.reason("es", "a")));
  }

  private int note(String scheduler, long epoch, EngineCondition condition) {
    NoteEngine note =
        new NoteEngine(shards.engine(scheduler), scheduler, epoch, condition, "so it seems");
    return shards.code(shards.shardOfScheduler(scheduler), note);
  }

  private Scheduler state(String scheduler) {
    return shards.tables(shards.shardOfScheduler(scheduler)).schedulers().get(scheduler);
  }

  private void startApart(String scheduler) {
    StartEngine start = Calls.startEngine(shards.engine(scheduler), scheduler, false);
    start.setApart(true);
    assertEquals(0, shards.code(0, start));
  }

  @Test
  void anEngineThatIsMissedIsDownUntilItIsHeardAgain() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition=east");
    long epoch = shards.epoch("es");
    assertEquals(0, note("es", epoch, EngineCondition.SILENT));
    assertEquals(EngineCondition.SILENT, state("es").getCondition());
    assertEquals(
        "Unable to reach scheduler associated with partition east", state("es").getComment());
    int before = shards.facts(EngineNoted.class).size();
    assertEquals(0, note("es", epoch, EngineCondition.SILENT));
    assertEquals(before, shards.facts(EngineNoted.class).size(), "it is said once");
    assertEquals(0, note("es", epoch, EngineCondition.WORKS));
    assertEquals(EngineCondition.WORKS, state("es").getCondition());
    assertEquals("", state("es").getComment());
    assertEquals(epoch, state("es").getEpoch(), "its proposals still count");
  }

  @Test
  void nothingIsNotedOfAnEngineThatAnotherOneReplaced() {
    long epoch = shards.epoch("default");
    shards.startEngine("default");
    assertEquals(PbsError.STALE_PROPOSAL.code(), note("default", epoch, EngineCondition.SILENT));
    assertEquals(EngineCondition.WORKS, state("default").getCondition());
  }

  /** Words of PBS's design for a scheduler that was restarted two or three times in an hour. */
  @Test
  void threeFailuresInAnHourNeedAttention() {
    for (int i = 0; i < EngineComments.FAILURES_MAX; i++) {
      long epoch = shards.startEngine("default");
      assertEquals("", state("default").getComment(), i + " failures");
      assertEquals(0, note("default", epoch, EngineCondition.FAILED));
    }
    assertEquals("NEEDS_ATTENTION", state("default").getComment());
    long epoch = shards.startEngine("default");
    assertEquals("NEEDS_ATTENTION", state("default").getComment(), "it has not shown anything");
    assertEquals(0, note("default", epoch, EngineCondition.WORKS));
    assertEquals("READY_TO_USE", state("default").getComment());
    assertEquals(List.of(), state("default").getFailures());
  }

  @Test
  void oldFailuresDoNotCount() {
    long hour = EngineComments.FAILURES_MS;
    assertEquals(List.of(hour), EngineComments.recent(List.of(-1L, hour), hour));
    assertEquals(
        List.of(2L, 3L, 4L), EngineComments.failedAgain(List.of(1L, 2L, 3L), 4L), "the last ones");
  }

  /** An engine apart that was killed and is started again within seconds was not missed. */
  @Test
  void anEngineApartThatComesAgainWithoutHavingEndedHasFailed() {
    startApart("default");
    assertEquals(0, note("default", shards.epoch("default"), EngineCondition.ENDED));
    startApart("default");
    assertEquals(List.of(), state("default").getFailures(), "it said that it would end");
    startApart("default");
    assertEquals(1, state("default").getFailures().size());
    assertEquals(EngineCondition.WORKS, state("default").getCondition());
  }
}
