package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers that a master restored from an older state gives out again; its queue tells no marks. */
class NumbersAgainTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 9, 9, 9, 1);
  private static final String ACCOUNT = System.getProperty("user.name");
  private static final OutsideId NUMBER = OutsideId.of(7);
  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();
  private Told<List<OutsideJob>> marked = Told.of(List.of());
  private int looks;
  private int deleted;

  private Object answer(String question) {
    return switch (question) {
      case "snapshot" -> Told.of(List.copyOf(queue));
      case "tagged" -> {
        looks++;
        yield marked;
      }
      case "byNumber" -> Told.of(Map.of(NUMBER, queue.stream().findFirst()));
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "control" -> {
        deleted++;
        yield new Controlled.Done("");
      }
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideBridge bridge(RunJournal journal) {
    OutsideSystem system = PlayedSystem.of((question, arguments) -> answer(question));
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    SharedRunFolders folders = new SharedRunFolders(folder + "", new ProcessRunner(), commands);
    return new OutsideBridge(new BridgeParts(system, folders, journal, TERMS, () -> now), breaker);
  }

  private void shown(OutsideState state, Optional<Instant> submitted) {
    queue.clear();
    queue.add(
        new OutsideJob(
            NUMBER,
            "a",
            ACCOUNT,
            Optional.empty(),
            state,
            "",
            submitted,
            "",
            1,
            Optional.empty(),
            ""));
  }

  private OutsideRunState steps(OutsideBridge bridge) throws Exception {
    for (int i = 0; i < 4; i++) {
      now = now.plusSeconds(2);
      bridge.step();
    }
    return bridge.run(TAG).orElseThrow().state();
  }

  private OutsideBridge running(RunJournal journal) throws Exception {
    OutsideRun run = OutsideRun.ordered(PlayedSystem.order(TAG, ACCOUNT), now);
    journal.put(run.aboutToSubmit(now).submittedAs(NUMBER, now));
    shown(OutsideState.RUNNING, Optional.empty());
    OutsideBridge bridge = bridge(journal);
    assertEquals(OutsideRunState.RUNNING, steps(bridge));
    assertEquals(0, looks, "nothing is in doubt");
    return bridge;
  }

  private void silence(OutsideBridge bridge) throws Exception {
    for (int i = 0; i < 3; i++) {
      breaker.silent("it is restored", now);
    }
    bridge.step();
    assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(TAG).orElseThrow().state());
    breaker.answered();
  }

  private void isMarked(OutsideTag tag) {
    marked = Told.of(List.of(ShownJobs.job(NUMBER, ACCOUNT, tag, OutsideState.RUNNING)));
  }

  @Test
  void afterASilenceTheMarkSaysWhetherItIsTheRun() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = running(journal);
      silence(bridge);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge), "a job of the account's own");
      bridge.delete(TAG);
      steps(bridge);
      assertEquals(0, deleted, "it is not deleted");
      isMarked(new OutsideTag("c1", "6", 1));
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge), "another run");
      marked = Told.nothing("no answer");
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge));
      isMarked(TAG);
      assertEquals(OutsideRunState.RUNNING, steps(bridge));
      assertEquals(1, deleted);
      int before = looks;
      steps(bridge);
      assertEquals(before, looks, "it is known now");
    }
  }

  /** The clock there may be wrong: the mark says more than the time. */
  @Test
  void oneThatWasSubmittedLaterIsAnotherUnlessItHasTheMark() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      Files.createDirectories(folder.resolve(ACCOUNT));
      OutsideBridge bridge = running(journal);
      isMarked(TAG);
      shown(OutsideState.WAITING, Optional.of(now.plusSeconds(3600)));
      assertEquals(OutsideRunState.WAITING, steps(bridge));
      assertEquals(1, looks);
      silence(bridge);
      marked = Told.of(List.of());
      assertEquals(OutsideRunState.ENDED, steps(bridge), "its own is nowhere any more");
      OutsideCause cause = bridge.run(TAG).orElseThrow().end().orElseThrow().cause();
      assertEquals(OutsideCause.NOT_BEGUN, cause);
    }
  }
}
