package io.millrace.server.streams;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.engine.EngineLiveness;
import io.millrace.server.streams.engine.EngineWatch;
import io.millrace.server.streams.measure.ShardMeasures;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sits beside a shard while others come and go. */
class EnginesTest {
  private static final long NOW = 1_700_000_000_000L;

  private final Tables tables = Tables.inMemory(0, 1);
  private final Shard shard = new Shard(tables);
  private Seated seated;
  private final Heard heard = new Heard();
  private final Engines engines =
      new Engines(
          tables,
          (seat, snapshot) -> seated = new Seated(seat),
          () -> {},
          new EngineWatch(tables, heard),
          new ShardMeasures(0));
  private long made;

  /** An engine that only sits there. */
  private static final class Seated implements SchedulingEngine {
    private final EngineSeat seat;
    private boolean closed;

    Seated(EngineSeat seat) {
      this.seat = seat;
    }

    @Override
    public String scheduler() {
      return seat.scheduler();
    }

    @Override
    public long epoch() {
      return seat.epoch();
    }

    @Override
    public boolean hear(List<? extends SpecificRecord> facts) {
      return true;
    }

    @Override
    public List<SpecificRecord> proposals(int max) {
      return List.of();
    }

    @Override
    public boolean awaitSettled(long budgetNanos) {
      return true;
    }

    @Override
    public void answered(CommandId proposal, int code) {
      // it proposes nothing
    }

    @Override
    public boolean alive() {
      return !closed;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** What is heard of engines apart. */
  private static final class Heard implements EngineLiveness {
    private long unheardS;
    private boolean expected;

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

  private CommandMeta meta(Role role) {
    byte[] id = ByteBuffer.allocate(16).putLong(NOW << 16).putLong(++made << 32).array();
    return new CommandMeta(new CommandId(id), "someone", "", "here", role, -1, 0L);
  }

  private void tell(SpecificRecord command) {
    ArrayDeque<SpecificRecord> waiting = new ArrayDeque<>(List.of(command));
    while (!waiting.isEmpty()) {
      SpecificRecord next = waiting.poll();
      CommandFamily from = CommandFamily.of(Envelope.ofCommand(next).getRole());
      CommandOutcome outcome = shard.handle(from, next, NOW);
      engines.hear(outcome.facts());
      outcome.messages().forEach(message -> waiting.add(message.command()));
    }
  }

  private void start(boolean shadow) {
    tell(new StartEngine(meta(Role.ENGINE), "default", true, shadow, "elsewhere"));
  }

  @BeforeEach
  void seat() {
    tell(new Continue(meta(Role.SHARD), "initialise", "mill;root"));
    List<StartEngine> missing = engines.missing();
    assertEquals(1, missing.size());
    tell(missing.get(0));
    engines.seat("default");
    assertTrue(seated.epoch() > 0);
  }

  @Test
  void aShadowLeavesTheEngineInItsSeat() {
    start(true);
    assertFalse(seated.closed);
    assertEquals(List.of(), engines.missing());
    assertEquals(seated.epoch(), tables.schedulers().get("default").getEpoch());
  }

  @Test
  void anEngineApartTakesTheSeat() {
    start(false);
    assertTrue(seated.closed);
    assertTrue(engines.apart());
    assertTrue(tables.schedulers().get("default").getEpoch() > seated.epoch());
  }

  @Test
  void anEngineThatCannotBeMadeIsSaidAndTriedAgainAfterAPause() {
    Engines without =
        new Engines(
            tables,
            (seat, snapshot) -> {
              throw new IllegalArgumentException("no such\nengine");
            },
            () -> {},
            new EngineWatch(tables, heard),
            new ShardMeasures(0));
    for (int i = 0; i < 3; i++) {
      assertTrue(i == 0 || without.look());
      tell(without.missing().get(0));
      without.seat("default");
      assertTrue(without.look());
      NoteEngine note = without.notes().get(0);
      assertEquals(
          "it cannot be started: java.lang.IllegalArgumentException: no such", note.getWhy());
      tell(note);
    }
    assertFalse(without.look());
    assertEquals("NEEDS_ATTENTION", tables.schedulers().get("default").getComment());
    assertEquals(List.of(), without.missing(), "it is not tried again and again");
    ClusterObject object = tables.objects().get(Keys.object(ObjectKind.SCHEDULER, "default"));
    without.hear(List.of(new ObjectWritten(new FactMeta(), object)));
    assertEquals(1, without.missing().size(), "another object may do");
  }

  /** As the shard does it when it was woken. */
  private void attend() {
    List<StartEngine> missing = engines.missing();
    engines.notes().forEach(this::tell);
    for (StartEngine start : missing) {
      tell(start);
      engines.seat(start.getScheduler());
    }
  }

  private Scheduler state() {
    return tables.schedulers().get("default");
  }

  @Test
  void anEngineApartThatDiedIsDownAndTheServersOwnTakesOverUntilItIsBack() {
    start(false);
    long epoch = state().getEpoch();
    assertFalse(engines.look());
    heard.unheardS = 4;
    assertTrue(engines.look());
    attend();
    assertEquals(EngineCondition.SILENT, state().getCondition());
    assertEquals(
        "Unable to reach scheduler associated with partition pbs-default", state().getComment());
    assertTrue(engines.apart());
    assertFalse(engines.look());
    heard.unheardS = 30;
    assertTrue(engines.look());
    attend();
    assertFalse(seated.closed);
    assertTrue(state().getEpoch() > epoch);
    assertFalse(state().getApart());
    assertEquals(EngineCondition.WORKS, state().getCondition());
    assertEquals("", state().getComment());
    start(false);
    assertTrue(seated.closed, "the seat is given back");
    heard.unheardS = 0;
    assertFalse(engines.look());
    assertEquals(List.of(), engines.missing());
  }

  @Test
  void anEngineThatThrowsAgainAndAgainNeedsAttention() {
    for (int i = 0; i < 3; i++) {
      assertEquals("", state().getComment(), i + " ends");
      seated.closed = true;
      assertTrue(engines.look());
      attend();
    }
    assertEquals("NEEDS_ATTENTION", state().getComment());
    assertEquals(EngineCondition.FAILED, state().getCondition(), "the next one has to wait");
    assertTrue(seated.closed);
    await().atMost(60, TimeUnit.SECONDS).until(engines::look);
    attend();
    assertFalse(seated.closed);
    assertEquals(EngineCondition.WORKS, state().getCondition());
    assertEquals("NEEDS_ATTENTION", state().getComment(), "until it has worked for a while");
  }
}
