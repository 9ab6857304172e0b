package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers that a master restored from an older state gives out again; its queue tells no marks. */
class NumbersAgainTest {

  private static final OutsideId NUMBER = OutsideId.of(7);
  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir Path folder;

  private Told<List<OutsideJob>> marked = Told.of(List.of());
  private int looks;
  private int deleted;
  private int submitted;
  private PlayedRuns runs;

  @BeforeEach
  void begin() {
    runs = new PlayedRuns(folder, this::answer);
  }

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "tagged" -> {
        looks++;
        yield marked;
      }
      case "control" -> {
        deleted++;
        yield new Controlled.Done("");
      }
      case "submit" -> new Submitted.Accepted(OutsideId.of(100 + ++submitted));
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private void shown(OutsideState state, Optional<Instant> submitted) {
    runs.queue.clear();
    runs.queue.add(
        new OutsideJob(
            NUMBER,
            "a",
            PlayedRuns.ACCOUNT,
            Optional.empty(),
            state,
            "",
            submitted,
            "",
            1,
            Optional.empty(),
            "",
            List.of()));
  }

  private OutsideRunState steps(OutsideBridge bridge) throws Exception {
    return runs.after(bridge, TAG);
  }

  private OutsideBridge seenAs(RunJournal journal, OutsideState state, OutsideRunState as)
      throws Exception {
    journal.put(runs.submitted(TAG, NUMBER));
    shown(state, Optional.empty());
    OutsideBridge bridge = runs.bridge(journal);
    assertEquals(as, steps(bridge));
    assertEquals(0, looks, "nothing is in doubt");
    return bridge;
  }

  private OutsideBridge running(RunJournal journal) throws Exception {
    return seenAs(journal, OutsideState.RUNNING, OutsideRunState.RUNNING);
  }

  private void silence(OutsideBridge bridge) throws Exception {
    for (int i = 0; i < 3; i++) {
      runs.breaker.silent("it is restored", runs.now);
    }
    bridge.step();
    assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(TAG).orElseThrow().state());
    runs.breaker.answered();
  }

  private void isMarked(OutsideTag tag) {
    marked = Told.of(List.of(ShownJobs.job(NUMBER, PlayedRuns.ACCOUNT, tag, OutsideState.RUNNING)));
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
      Files.createDirectories(folder.resolve(PlayedRuns.ACCOUNT));
      OutsideBridge bridge = running(journal);
      isMarked(TAG);
      shown(OutsideState.WAITING, Optional.of(runs.now.plusSeconds(3600)));
      assertEquals(OutsideRunState.WAITING, steps(bridge));
      assertEquals(1, looks);
      silence(bridge);
      marked = Told.of(List.of());
      assertEquals(OutsideRunState.ENDED, steps(bridge), "its own is nowhere any more");
      OutsideCause cause = bridge.run(TAG).orElseThrow().end().orElseThrow().cause();
      assertEquals(OutsideCause.NOT_BEGUN, cause);
    }
  }

  /** Whether it is the run or not: it may be, and there are as many as there may be. */
  @Test
  void oneThatMayBeTheRunAndWaitsTakesItsPlace() throws Exception {
    runs.terms = PlayedRuns.terms(PlayedRuns.SECOND, 1);
    OutsideTag next = new OutsideTag("c1", "6", 1);
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = seenAs(journal, OutsideState.WAITING, OutsideRunState.WAITING);
      journal.put(runs.ordered(next, PlayedRuns.ACCOUNT));
      silence(bridge);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge));
      assertEquals(OutsideRunState.ORDERED, bridge.run(next).orElseThrow().state());
      shown(OutsideState.RUNNING, Optional.empty());
      steps(bridge);
      assertEquals(1, submitted, "it waits no more, whichever it is");
    }
  }
}
