package io.millrace.server.streams.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * When an engine is missed, when the server's own takes over, and when one that fails must wait.
 */
class EngineWatchTest {
  private final Tables tables = Tables.inMemory(0, 1);
  private final Heard heard = new Heard();
  private long nanos = -5;
  private final EngineWatch watch = new EngineWatch(tables, heard, () -> nanos);

  /** What is heard of the one engine. */
  private static final class Heard implements EngineLiveness {
    private long unheardS;
    private boolean expected = true;

    @Override
    public long unheardS(String scheduler, long epoch) {
      return unheardS;
    }

    @Override
    public boolean beats(String scheduler, long epoch) {
      return unheardS == 0;
    }

    @Override
    public boolean expected(String scheduler) {
      return expected;
    }
  }

  private void scheduler(boolean apart, EngineCondition condition) {
    tables
        .schedulers()
        .put(
            "s2",
            Scheduler.newBuilder()
                .setName("s2")
                .setEpoch(7)
                .setApart(apart)
                .setCondition(condition)
                .build());
  }

  private void takeover(String seconds) {
    tables
        .objects()
        .put(
            Keys.object(ObjectKind.SCHEDULER, "s2"),
            ClusterObject.newBuilder()
                .setKind(ObjectKind.SCHEDULER)
                .setName("s2")
                .setAttributes(List.of(new Attribute("takeover_time", seconds)))
                .setVersion(1)
                .setCreated(1)
                .build());
  }

  private List<EngineCondition> conditions() {
    return watch.take().stream().map(EngineWatch.Note::condition).toList();
  }

  @Test
  void anEngineApartIsMissedOnce() {
    scheduler(true, EngineCondition.WORKS);
    heard.unheardS = EngineWatch.MISSED_S - 2;
    assertFalse(watch.look());
    heard.unheardS = EngineWatch.MISSED_S;
    assertTrue(watch.look());
    assertTrue(watch.look(), "the shard may not have come to it yet");
    assertEquals(
        List.of(new EngineWatch.Note("s2", 7, EngineCondition.SILENT, "no sign of life for 3 s")),
        watch.take());
    scheduler(true, EngineCondition.SILENT);
    assertFalse(watch.look());
    heard.unheardS = 0;
    assertTrue(watch.look());
    assertEquals(List.of(EngineCondition.WORKS), conditions());
  }

  /** An engine that has said that it ends beats no more, even if its last beat is recent. */
  @Test
  void anEngineThatWasEndedIsNotHeardAgain() {
    scheduler(true, EngineCondition.ENDED);
    heard.unheardS = 0;
    assertFalse(watch.look());
    assertEquals(List.of(), conditions());
  }

  @Test
  void theServersOwnEngineTakesOverAfterAWhile() {
    watch.begun();
    scheduler(true, EngineCondition.SILENT);
    heard.unheardS = 28;
    assertFalse(watch.look());
    assertTrue(watch.elsewhere("s2"));
    heard.unheardS = 30;
    assertTrue(watch.look());
    assertFalse(watch.elsewhere("s2"));
    watch.seated("s2");
    scheduler(false, EngineCondition.WORKS);
    assertFalse(watch.elsewhere("s2"));
    scheduler(true, EngineCondition.WORKS); // it came back
    heard.unheardS = 0;
    assertFalse(watch.look());
    assertTrue(watch.elsewhere("s2"));
  }

  @Test
  void takeover_timeSaysWhenOrNever() {
    watch.begun();
    scheduler(true, EngineCondition.SILENT);
    takeover("0");
    heard.unheardS = 100_000;
    assertFalse(watch.look());
    assertTrue(watch.elsewhere("s2"));
    takeover("100002");
    assertFalse(watch.look());
    takeover("100000");
    assertTrue(watch.look());
    assertFalse(watch.elsewhere("s2"));
  }

  /** One that up --apart-engine names has none beside the shard before one apart has come. */
  @Test
  void aSchedulerThatNeverHadAnEngineWaitsForOneApartWhereThatIsExpected() {
    assertTrue(watch.elsewhere("s2"));
    heard.expected = false;
    assertFalse(watch.elsewhere("s2"));
  }

  /** With up --no-apart-engine nobody waits for an engine that ran apart. */
  @Test
  void aServerThatBeginsTakesOverWhereNoEngineApartIsExpected() {
    scheduler(true, EngineCondition.WORKS);
    assertTrue(watch.elsewhere("s2"), "it is expected");
    heard.expected = false;
    assertFalse(watch.elsewhere("s2"));
    takeover("0");
    assertTrue(watch.elsewhere("s2"), "the scheduler is left down");
    takeover("30");
    watch.begun();
    assertTrue(watch.elsewhere("s2"), "one that came since then keeps its place");
  }

  @Test
  void enginesThatEndAtOnceHaveToWaitLongerAndLonger() {
    scheduler(false, EngineCondition.FAILED);
    long pauseS = 0;
    for (int i = 1; i <= 12; i++) {
      watch.ended("s2", i, "its thread has ended");
      pauseS = i < 3 ? 0 : Math.min(60, 1L << (i - 3));
      assertEquals(pauseS > 0, watch.pauses("s2"), "after " + i);
      nanos += TimeUnit.SECONDS.toNanos(pauseS);
      assertFalse(watch.pauses("s2"), "after " + i);
    }
    assertEquals(60, pauseS);
    assertTrue(watch.look());
    assertEquals(12, conditions().size());
    assertTrue(watch.look(), "the next engine may start");
  }

  @Test
  void anEngineThatFailedAndWorksForAWhileIsReady() {
    scheduler(false, EngineCondition.WORKS);
    Scheduler state = tables.schedulers().get("s2");
    state.setFailures(List.of(1L, 2L, 3L));
    state.setComment("NEEDS_ATTENTION");
    assertFalse(watch.look());
    nanos += EngineWatch.READY_NANOS - 1;
    assertFalse(watch.look());
    nanos++;
    assertTrue(watch.look());
    assertEquals(List.of(EngineCondition.WORKS), conditions());
  }
}
