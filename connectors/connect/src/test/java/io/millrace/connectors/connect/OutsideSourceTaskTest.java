package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The source, with a Slurm that says what a test wants, and a Connect whose worker dies. */
class OutsideSourceTaskTest {

  /** More than the pauses between two questions for the queue. */
  private static final Duration STEP = Duration.ofSeconds(20);

  @TempDir Path folder;

  private Instant now;
  private Path completions;
  private PlayedSlurm slurm;
  private PlayedConnect connect;

  @BeforeEach
  void prepare() throws IOException {
    Path file = folder.resolve("c1.properties");
    Files.writeString(
        file, "bootstrap.servers=here:1\n" + HostKey.PROPERTY + "=" + "0a".repeat(32) + "\n");
    world();
  }

  /** Another Slurm and another Connect, at the same time of day. */
  private void world() throws IOException {
    now = Instant.parse("2026-11-20T12:00:00Z");
    Path home = Files.createTempDirectory(folder, "world");
    completions = home.resolve("jobcomp");
    Map<String, String> settings = ConnectorSettingsTest.source();
    settings.put("millrace.properties", folder.resolve("c1.properties").toString());
    settings.put("cluster.accounting", completions.toString());
    slurm = new PlayedSlurm(completions);
    InstantSource clock = () -> now;
    connect = new PlayedConnect(settings, slurm, clock);
    connect.begin();
  }

  private ObservedJob job(long number) {
    return (ObservedJob) connect.present().get("c1/" + number);
  }

  private ObservedCluster cluster() {
    return (ObservedCluster) connect.present().get("@c1");
  }

  private void step() throws InterruptedException {
    now = now.plus(STEP);
    connect.poll();
  }

  @Test
  void whatIsShownIsWhatTheObservingConnectorShows() throws Exception {
    slurm.is(1, "RUNNING");
    slurm.is(2, "PENDING");
    connect.poll();
    assertEquals(4, ((ObservedNode) connect.present().get("n1@c1")).getNcpus());
    assertEquals("offline", ((ObservedNode) connect.present().get("n2@c1")).getState());
    assertEquals(List.of("batch"), cluster().getQueues());
    step();
    assertEquals("R", job(1).getState());
    assertEquals("Q", job(2).getState());
    for (SourceRecord record : connect.sent) {
      assertTrue(record.topic().startsWith("outside-"), record.topic());
      assertEquals(0, record.kafkaPartition());
      assertEquals(Map.of("cluster", "c1"), record.sourcePartition());
    }
  }

  @Test
  void noJobIsShownBeforeItsPositionIsKept() throws Exception {
    slurm.is(1, "RUNNING");
    connect.poll();
    assertNull(job(1));
    connect.stored = null; // sent, but the worker has not stored any offset yet
    step();
    assertNull(job(1));
    connect.stored = Map.of("cursor", "", "snapshot", 1);
    step();
    assertEquals("R", job(1).getState());
  }

  @Test
  void aLookWithoutNewsSendsNothing() throws Exception {
    connect.poll();
    step();
    int sent = connect.sent.size();
    now = now.plusSeconds(1);
    connect.poll();
    assertEquals(sent, connect.sent.size());
  }

  @Test
  void onlyTheLastRecordOfALookHasItsPosition() throws Exception {
    connect.transactions = true;
    connect.poll();
    List<SourceRecord> look = List.copyOf(connect.sent);
    assertTrue(look.size() > 2);
    for (SourceRecord each : look.subList(0, look.size() - 1)) {
      assertEquals(SourcePosition.FIRST.kept(), each.sourceOffset());
    }
    SourceRecord last = look.get(look.size() - 1);
    assertEquals(1L, last.sourceOffset().get("snapshot"));
    assertEquals(1, connect.ends.size());
    assertSame(last, connect.ends.get(0), "a look is one transaction");
  }

  /** A moment of the history that is played while the worker dies. */
  private interface Moment {
    void come() throws IOException;
  }

  /** Jobs come, run and end, while their file is renamed, and copied and cut short. */
  private List<Moment> history() {
    return List.of(
        () -> {
          slurm.is(1, "RUNNING");
          slurm.is(2, "PENDING");
        },
        () -> slurm.is(2, "RUNNING"),
        () -> slurm.ends(1, 3),
        () -> {
          Files.move(completions, completions.resolveSibling("jobcomp.1"));
          slurm.is(3, "RUNNING");
          slurm.is(4, "RUNNING");
          slurm.ends(2, 0);
        },
        () -> slurm.is(5, "PENDING"),
        () -> {
          Files.copy(completions, completions.resolveSibling("jobcomp.0"));
          Files.writeString(completions, "");
        },
        () -> {
          slurm.ends(3, 7);
          slurm.is(5, "RUNNING");
        },
        () -> {
          slurm.ends(4, 0);
          slurm.tells(5, 1);
          slurm.is(6, "RUNNING");
        },
        () -> {
          slurm.forgets(5);
          slurm.ends(6, 2);
        },
        () -> {});
  }

  /** What is told of jobs but for the moments at which it was. */
  private Map<String, String> ends() {
    Map<String, String> ends = new TreeMap<>();
    connect
        .present()
        .forEach(
            (key, record) -> {
              if (record instanceof ObservedJob it) {
                ends.put(key, it.getState() + " " + it.getExitStatus() + " " + it.getEnd());
              } else if (record instanceof ObservedNode it) {
                ends.put(key, it.getState() + " " + it.getHeld());
              }
            });
    return ends;
  }

  /** Which offset is stored when the worker dies. */
  enum Stored {
    THAT_OF_THE_LAST_RECORD,
    THAT_OF_THE_FLUSH_BEFORE
  }

  private void play(int dies, Stored which) throws Exception {
    Map<String, Object> flushed = null;
    for (Moment moment : history()) {
      moment.come();
      for (int look = 0; look < 4; look++) {
        now = now.plus(STEP);
        if (!connect.poll(dies)) {
          connect.task.stop();
          if (which == Stored.THAT_OF_THE_FLUSH_BEFORE) {
            connect.stored = flushed;
          }
          connect.begin();
          dies = Integer.MAX_VALUE;
          connect.poll();
        }
        if (look == 1) {
          flushed = connect.stored;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereverTheWorkerDiesTheTopicsSayTheSame(Stored which) throws Exception {
    play(Integer.MAX_VALUE, which);
    Map<String, String> wanted = ends();
    for (int number = 1; number <= 6; number++) {
      assertTrue(wanted.get("c1/" + number).startsWith("F "), wanted::toString);
      assertFalse(wanted.get("c1/" + number).contains("nobody knows"), wanted::toString);
    }
    int records = connect.sent.size();
    for (int dies = 1; dies < records; dies++) {
      world();
      play(dies, which);
      assertEquals(wanted, ends(), "the worker died behind record " + dies);
    }
  }

  @Test
  void whatComesAgainAfterACrashIsEqual() throws Exception {
    play(Integer.MAX_VALUE, Stored.THAT_OF_THE_LAST_RECORD);
    Map<String, ?> before = connect.present();
    int sent = connect.sent.size();
    connect.task.stop();
    connect.stored = new TreeMap<>(connect.sent.get(sent / 2).sourceOffset());
    connect.begin();
    connect.poll();
    for (Map.Entry<String, ?> each : connect.present().entrySet()) {
      if (each.getValue() instanceof ObservedJob) {
        assertEquals(before.get(each.getKey()), each.getValue());
      }
    }
  }

  @Test
  void anEndThatWasCutOffWhileNobodyLookedIsNotMadeUp() throws Exception {
    slurm.is(1, "RUNNING");
    slurm.is(2, "RUNNING");
    connect.poll();
    step();
    connect.task.stop();
    slurm.ends(1, 4);
    Files.writeString(completions, "");
    connect.begin();
    connect.poll();
    assertEquals("R", job(1).getState(), "the queue alone is no evidence");
    step();
    step();
    step();
    assertEquals("F", job(1).getState());
    assertEquals("nobody knows how", job(1).getEnd());
    assertEquals("R", job(2).getState());
  }

  @ParameterizedTest
  @EnumSource
  void aCommandThatFailsSaysNothing(ProcessEnding ending) throws Exception {
    slurm.is(1, "RUNNING");
    connect.poll();
    step();
    String cut = "{\"errors\":[],\"jobs\":[";
    slurm.breaks(PlayedSlurm.answer(ending, ending == ProcessEnding.EXITED ? cut : ""));
    int asked = slurm.asked();
    for (int i = 0; i < 30; i++) {
      step();
    }
    assertTrue(slurm.asked() - asked < 20, "asked " + (slurm.asked() - asked) + " times");
    assertEquals("R", job(1).getState());
    assertEquals("state-unknown", ((ObservedNode) connect.present().get("n1@c1")).getState());
    assertFalse(cluster().getTrouble().isEmpty());
    assertTrue(connect.metric("obstacle").toString().contains("does not answer"));
    assertTrue((Integer) connect.metric("unanswered") >= 3);
    slurm.breaks(null);
    for (int i = 0; i < 6; i++) {
      step();
    }
    assertEquals("", cluster().getTrouble());
    assertEquals("", connect.metric("obstacle"));
    assertEquals(0, connect.metric("unanswered"));
    assertEquals(2, connect.metric("nodes"));
    assertEquals("R", job(1).getState());
  }

  @Test
  void topicsThatCannotBeReadAreTriedAgain() throws Exception {
    OutsideSourceTask task =
        new OutsideSourceTask(
            (terms, cursor) -> {
              throw new IOException("no broker");
            },
            Duration.ZERO);
    connect.begin(task);
    assertEquals("no broker", assertThrows(RetriableException.class, task::poll).getMessage());
    task.stop();
    assertNull(task.poll(), "it ends at once");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cursor", "snapshot"})
  void anOffsetThatIsNoneIsRefused(String missing) {
    connect.stored = new TreeMap<>(Map.of("cursor", "1@2#3", "snapshot", 4L));
    connect.stored.remove(missing);
    connect.begin();
    String said = assertThrows(ConnectException.class, connect::poll).getMessage();
    assertTrue(said.startsWith("an offset has a text 'cursor' and a number 'snapshot'"), said);
  }
}
