package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NoteHostHeard;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What a shard is told of its hosts. */
class HostWatchTest {
  private static final CommandMeta META =
      new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1, 0L);

  private final Tables tables = Tables.inMemory(0, 1);
  private long unheardS;

  private final HostWatch watch =
      new HostWatch(
          new ExecutorLiveness() {
            @Override
            public void cameUp(String host, String executor) {}

            @Override
            public long unheardS(String host, String executor) {
              return unheardS;
            }

            @Override
            public boolean beats(String host, String executor) {
              return unheardS == 0;
            }
          });

  private List<SpecificRecord> due(long nowMs) {
    return watch.due(tables, nowMs, () -> META);
  }

  private void node(String name, boolean up, int heartbeatS) {
    node(name, up, heartbeatS, 0);
  }

  private void node(String name, boolean up, int heartbeatS, int runs) {
    tables
        .nodes()
        .put(
            name,
            Node.newBuilder()
                .setName(name)
                .setHost("h")
                .setUp(up)
                .setMeasured(Map.of())
                .setHoldings(Collections.nCopies(runs, holding()))
                .setSuspended(List.of())
                .setExecutor("x")
                .setHeartbeatS(heartbeatS)
                .build());
  }

  @Test
  void aHostThatIsNotHeardForTooLongIsToldOnceInAWhile() {
    node("a", true, 2);
    node("b", true, 2);
    unheardS = 28;
    assertEquals(List.of(), due(10_000));
    unheardS = 30;
    assertEquals(List.of(), due(10_500));
    assertEquals(List.of(new NoteHostSilent(META, "h", "x", 30L)), due(11_000));
    assertEquals(List.of(), due(13_000));
    assertEquals(List.of(new NoteHostSilent(META, "h", "x", 30L)), due(19_000));
  }

  @Test
  void aClockThatIsSetBackHoldsNothingUp() {
    node("a", true, 2);
    unheardS = 30;
    assertEquals(List.of(new NoteHostSilent(META, "h", "x", 30L)), due(172_800_000));
    assertEquals(List.of(), due(10_000));
    assertEquals(List.of(new NoteHostSilent(META, "h", "x", 30L)), due(11_000));
  }

  @Test
  void aHostThatIsDownAndHeardIsTold() {
    node("a", false, 2);
    unheardS = 40;
    assertEquals(List.of(), due(10_000));
    unheardS = 0;
    assertEquals(List.of(new NoteHostHeard(META, "h", "x")), due(12_000));
  }

  @Test
  void whoSendsNoHeartbeatsIsNotMissed() {
    node("a", true, 0);
    unheardS = 4000;
    assertEquals(List.of(), due(10_000));
  }

  private static Holding holding() {
    return new Holding("1.vm", 1L, 1, Map.of(), 1, 0, false);
  }

  private void patience(String... attributes) {
    List<Attribute> values = new ArrayList<>();
    for (int i = 0; i < attributes.length; i += 2) {
      values.add(new Attribute(attributes[i], attributes[i + 1]));
    }
    ClusterObject server =
        ClusterObject.newBuilder()
            .setKind(ObjectKind.SERVER)
            .setName(Keys.SERVER)
            .setVersion(1)
            .setAttributes(values)
            .build();
    tables.objects().put(Keys.object(ObjectKind.SERVER, Keys.SERVER), server);
  }

  @Test
  void aHostIsLostWhenItWasNotHeardForBothTimes() {
    node("a", false, 2, 3);
    unheardS = 338;
    assertEquals(List.of(), due(10_000));
    unheardS = 340;
    assertEquals(List.of(new NoteHostLost(META, "h", "x", 340L)), due(11_000));
    unheardS = 400;
    assertEquals(List.of(), due(70_000));
    assertEquals(List.of(new NoteHostLost(META, "h", "x", 400L)), due(71_000));
  }

  /**
   * Who counts the silence begins anew when the server does; how long a node is down is nothing.
   */
  @Test
  void aHostThatIsDownSinceLongIsNotLostBeforeItWasListenedFor() {
    node("a", false, 2, 3);
    for (unheardS = 2; unheardS < 340; unheardS += 2) {
      assertEquals(List.of(), due(1_000_000_000L + 2000 * unheardS));
    }
    unheardS = 0;
    assertEquals(List.of(new NoteHostHeard(META, "h", "x")), due(2_000_000_000L));
  }

  @Test
  void zeroIsNeverAndLessIsASecond() {
    node("a", false, 2, 1);
    patience("max_unheard", "6", "node_fail_requeue", "0");
    unheardS = 1_000_000;
    assertEquals(List.of(), due(10_000));
    patience("max_unheard", "6", "node_fail_requeue", "-5");
    unheardS = 6;
    assertEquals(List.of(), due(12_000));
    unheardS = 8;
    assertEquals(
        List.of(new NoteHostLost(META, "h", "x", 8L)), due(14_000), "the time is set anew");
  }

  @Test
  void aHostWithoutRunsHasNoneToLose() {
    node("a", false, 2);
    unheardS = 4000;
    assertEquals(List.of(), due(10_000));
  }

  /** Its announcement is quicker than its first heartbeat, and may be the first sign for days. */
  @Test
  void aHostThatCameUpIsMissedFromThenOn() {
    HeartbeatTable heard = new HeartbeatTable(Topics.HEARTBEAT_S);
    HostWatch listening = new HostWatch(heard);
    node("a", false, 2, 1);
    long nowMs = 10_000;
    listening.due(tables, nowMs, () -> META);
    pulses(heard, 1000);
    assertEquals(
        List.of(new NoteHostLost(META, "h", "x", 2000L)),
        listening.due(tables, nowMs += 1000, () -> META));
    node("a", true, 2, 1);
    for (int i = 0; i < 15; i++) {
      assertEquals(List.of(), listening.due(tables, nowMs += 2000, () -> META));
      pulses(heard, 1);
    }
    assertEquals(
        List.of(new NoteHostSilent(META, "h", "x", 30L)),
        listening.due(tables, nowMs += 2000, () -> META));
  }

  private static void pulses(HeartbeatTable heard, int count) {
    for (int i = 0; i < count; i++) {
      heard.pulse();
    }
  }

  @Test
  void anotherExecutorUnderItsNameDoesNotTakeItsNodeDown() {
    HeartbeatTable heard = new HeartbeatTable(Topics.HEARTBEAT_S);
    HostWatch listening = new HostWatch(heard);
    node("a", true, 2, 1);
    for (int i = 0; i < 100; i++) {
      heard.beat("h", "x");
      heard.beat("h", "another");
      assertEquals(List.of(), listening.due(tables, 10_000 + 2000 * i, () -> META));
      heard.pulse();
    }
  }
}
