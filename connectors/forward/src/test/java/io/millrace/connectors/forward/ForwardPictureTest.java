package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.HandedAnswers;
import io.millrace.connectors.forward.observe.HostSilence;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown of a cluster whose queue and hosts the bridge of its runs asks for. */
class ForwardPictureTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private final HostSilence silence = new HostSilence(breaker);
  private final HandedAnswers handed = new HandedAnswers(silence);
  private final Map<String, SpecificRecord> present = new TreeMap<>();
  private final List<OutsideMove> lines = new ArrayList<>();
  private Instant now = NOON;
  private Told<List<OutsideJob>> queue = Told.of(List.of());
  private RunJournal journal;
  private OutsideBridge bridge;
  private ClusterLook look;

  @BeforeEach
  void open() throws Exception {
    journal = RunJournal.open(folder.resolve("journal"));
    bridge =
        PlayedBridge.of(
            journal,
            PlayedBridge.folders(folder.resolve("spool")),
            (question, arguments) -> said(question),
            () -> now,
            breaker);
    bridge.hands(handed::queue);
    ClusterPicture picture = new ClusterPicture("c1", "slurm", true);
    look =
        ClusterLook.handed(
            handed,
            PlayedBridge.system((question, arguments) -> Told.of(changes())),
            picture,
            "",
            () -> now);
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  private Object said(String question) {
    return switch (question) {
      case "submit" -> new Submitted.AccountRefused("a password is required");
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot" -> queue;
      case "tagged" -> Told.of(List.of());
      default -> false;
    };
  }

  private OutsideChanges changes() {
    List<OutsideMove> moves = List.copyOf(lines);
    lines.clear();
    return new OutsideChanges(List.of(), moves, "", true, false);
  }

  private static OutsideJob job(OutsideState state) {
    return new OutsideJob(
        OutsideId.of(17),
        "sleeper",
        "bob",
        Optional.empty(),
        state,
        "r",
        Optional.of(NOON.plusSeconds(2)),
        state == OutsideState.RUNNING ? "n1" : "",
        1,
        Optional.empty(),
        "",
        List.of());
  }

  /** A line of the log that is read with the next look. */
  private void line(OutsideState state, boolean made) {
    Optional<String> name = made ? Optional.of("sleeper") : Optional.empty();
    lines.add(new OutsideMove(OutsideId.of(17), "bob", Optional.empty(), state, now, name));
  }

  private void at(long second) {
    now = NOON.plusSeconds(second);
  }

  private void looks() throws Exception {
    handed.look(bridge);
    for (Shown each : look.look().shown()) {
      if (each.record().isPresent()) {
        present.put(each.key(), each.record().get());
      } else {
        present.remove(each.key());
      }
    }
  }

  private void steps(OutsideState state) throws Exception {
    queue = Told.of(List.of(job(state)));
    bridge.step();
  }

  private void hosts() {
    OutsideHost host = new OutsideHost("n1", true, "idle", 2, 1L << 30, Map.of());
    handed.hosts(new OutsideInventory(List.of(host), List.of("batch")), now);
    breaker.answered();
    silence.answered();
  }

  private void noHosts() {
    breaker.silent("no route", now);
    silence.silent("no route");
  }

  private String state() {
    return ((ObservedJob) present.get("c1/17")).getState();
  }

  private String node() {
    return ((ObservedNode) present.get("n1@c1")).getState();
  }

  private String trouble() {
    return ((ObservedCluster) present.get("@c1")).getTrouble();
  }

  /** The bridge asks in long pauses; what it has heard is not heard anew with each look. */
  @Test
  void anAnswerOfBeforeAJobWasSubmittedDoesNotEndIt() throws Exception {
    bridge.step();
    looks();
    at(2);
    line(OutsideState.WAITING, true);
    looks();
    assertEquals("Q", state());
    for (int second = 3; second < 300; second++) {
      at(second);
      looks();
      assertEquals("Q", state(), "second " + second);
    }
    at(300);
    steps(OutsideState.RUNNING);
    looks();
    assertEquals("R", state());
  }

  /** Its question had begun before; the line is read first. */
  @Test
  void anAnswerThatWasOnItsWayDoesNotEndAJobEither() throws Exception {
    bridge.step();
    at(2);
    line(OutsideState.WAITING, true);
    looks();
    for (int second = 3; second < 300; second++) {
      at(second);
      looks();
      assertEquals("Q", state(), "second " + second);
    }
  }

  @Test
  void aLineIsNotUndoneByAnAnswerOfBefore() throws Exception {
    at(10);
    steps(OutsideState.WAITING);
    looks();
    at(11);
    steps(OutsideState.WAITING);
    at(12);
    line(OutsideState.RUNNING, false);
    looks();
    for (int second = 13; second < 40; second++) {
      at(second);
      looks();
      assertEquals("R", state(), "second " + second);
    }
    // What was asked for since says more than the line.
    steps(OutsideState.SUSPENDED);
    looks();
    assertEquals("S", state());
  }

  /** What is missing in an answer ends when accounting was read for a while after it. */
  @Test
  void whatAnAnswerLacksIsOver() throws Exception {
    at(3);
    steps(OutsideState.RUNNING);
    looks();
    at(20);
    queue = Told.of(List.of());
    bridge.step();
    for (int second = 20; second < 50; second++) {
      at(second);
      looks();
      assertEquals("R", state(), "second " + second);
    }
    at(56);
    looks();
    assertEquals("F", state());
  }

  /** Sudo refuses one account; the cluster tells all that it has. */
  @Test
  void theTroubleOfOneAccountLeavesThePictureAsItIs() throws Exception {
    bridge.order(PlayedBridge.order(new OutsideTag("c1", "12", 1)));
    at(3);
    hosts();
    steps(OutsideState.WAITING);
    assertEquals("in the name of alice: a password is required", bridge.trouble().orElseThrow());
    looks();
    for (int second = 20; second < 300; second += 20) {
      at(second);
      hosts();
      steps(OutsideState.RUNNING);
      looks();
      assertEquals("R", state());
      assertEquals("free", node());
      assertEquals("", trouble());
    }
  }

  @Test
  void whileTheQueueAloneIsNotToldItsHostsAreKnown() throws Exception {
    at(3);
    hosts();
    steps(OutsideState.RUNNING);
    looks();
    queue = Told.nothing("squeue: too long");
    for (int second = 20; second < 120; second += 20) {
      at(second);
      bridge.step();
      hosts();
      looks();
    }
    assertEquals("R", state());
    assertEquals("free", node());
    assertEquals("squeue: too long", trouble());
    at(130);
    steps(OutsideState.SUSPENDED);
    looks();
    assertEquals("", trouble());
    assertEquals("S", state());
  }

  /** The breaker opens before the hosts are asked for again: nothing is wrong with them. */
  @Test
  void whileTheQueueAloneIsNotToldForLongItsHostsAreKnownAllTheTime() throws Exception {
    at(3);
    hosts();
    steps(OutsideState.RUNNING);
    looks();
    queue = Told.nothing("squeue: too long");
    for (int second = 20; second < 300; second += 20) {
      at(second);
      bridge.step();
      if (second % 100 == 0) {
        hosts();
      }
      looks();
      assertEquals("free", node(), "second " + second);
      assertEquals(second < 60 ? "" : "squeue: too long", trouble(), "second " + second);
    }
  }

  /** Whose picture nobody brings up to date is seen by when the cluster was last heard of. */
  @Test
  void fromABridgeThatMakesNoStepsNothingIsHeard() throws Exception {
    at(3);
    hosts();
    steps(OutsideState.RUNNING);
    looks();
    at(200);
    looks();
    long heardMs = ((ObservedCluster) present.get("@c1")).getHeardMs();
    assertEquals(now.toEpochMilli(), heardMs);
    at(400);
    look.look().shown().forEach(it -> it.record().ifPresent(each -> present.put(it.key(), each)));
    assertEquals(heardMs, ((ObservedCluster) present.get("@c1")).getHeardMs());
  }

  @Test
  void hostsOfAClusterThatDoesNotAnswerAreUnknown() throws Exception {
    at(3);
    hosts();
    steps(OutsideState.RUNNING);
    looks();
    assertFalse(node().equals("state-unknown"));
    queue = Told.nothing("no route");
    for (int second = 20; second < 120; second += 20) {
      at(second);
      bridge.step();
      noHosts();
      looks();
    }
    assertEquals("state-unknown", node());
    assertEquals("no route", trouble());
    assertEquals("R", state());
    at(160);
    steps(OutsideState.RUNNING);
    hosts();
    looks();
    assertEquals("free", node());
    assertEquals("", trouble());
  }
}
