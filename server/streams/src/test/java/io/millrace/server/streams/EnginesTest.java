package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Tables;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sits beside a shard while others come and go. */
class EnginesTest {
  private static final long NOW = 1_700_000_000_000L;

  private final Tables tables = Tables.inMemory(0, 1);
  private final Shard shard = new Shard(tables);
  private Seated seated;
  private final Engines engines =
      new Engines(tables, (seat, snapshot) -> seated = new Seated(seat), () -> {}, "here");
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
  void aShardGoesOnWithoutAnEngineThatCannotBeMade() {
    Engines without =
        new Engines(
            tables,
            (seat, snapshot) -> {
              throw new IllegalArgumentException("no such engine");
            },
            () -> {},
            "here");
    tell(without.missing().get(0));
    without.seat("default");
    without.again();
    assertEquals(List.of(), without.missing(), "it is not tried again and again");
  }
}
