package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bridge does while answers to submissions have not come yet. */
class SubmissionsUnderWayTest {

  private static final OutsideTag FIRST = new OutsideTag("c1", "1", 1);
  private static final OutsideTag SECOND = new OutsideTag("c1", "2", 1);
  private static final OutsideTag THIRD = new OutsideTag("c1", "3", 1);
  private static final OutsideId NUMBER = OutsideId.of(7);

  @TempDir Path folder;

  private final Map<OutsideTag, CompletableFuture<Submitted>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger submissions = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();
  private final Semaphore news = new Semaphore(0);

  private List<OutsideMove> moves = List.of();
  private PlayedRuns played;

  @BeforeEach
  void play() {
    played = new PlayedRuns(folder.resolve("spool"), this::answer);
    Duration second = PlayedRuns.SECOND;
    played.terms = new BridgeTerms(second, second, second, second, second, 9, 9, 9, 2);
  }

  private Object answer(String question, Object... arguments) {
    switch (question) {
      case "submit":
        submissions.incrementAndGet();
        return await(answers.get(((OutsideSubmission) arguments[0]).tag()));
      case "changes":
        return Told.of(new OutsideChanges(List.of(), moves, "5", true, false));
      case "snapshotHasTags":
        return true;
      case "snapshot":
        questions.incrementAndGet();
        return Told.of(List.of());
      default:
        throw new UnsupportedOperationException(question);
    }
  }

  private static Submitted await(CompletableFuture<Submitted> answer) {
    try {
      return answer.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private OutsideBridge bridge(RunJournal journal, OutsideTag... runs) throws Exception {
    OutsideBridge bridge = played.bridge(journal);
    bridge.onAnswer(news::release);
    for (OutsideTag run : runs) {
      answers.put(run, new CompletableFuture<>());
      assertTrue(bridge.order(PlayedSystem.order(run, PlayedRuns.ACCOUNT)));
    }
    return bridge;
  }

  private void accepted(OutsideTag run) throws InterruptedException {
    answers.get(run).complete(new Submitted.Accepted(NUMBER));
    assertTrue(news.tryAcquire(60, TimeUnit.SECONDS));
  }

  private static OutsideRunState state(OutsideBridge bridge, OutsideTag run) {
    return bridge.run(run).orElseThrow().state();
  }

  /** A slow answer keeps nobody waiting; more than may be under way together are not begun. */
  @Test
  void stepsGoOnWhileAnswersAreAwaited() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal, FIRST, SECOND, THIRD);
      bridge.step();
      bridge.step();
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, FIRST));
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, SECOND));
      assertEquals(OutsideRunState.ORDERED, state(bridge, THIRD));
      accepted(SECOND);
      bridge.step();
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, FIRST));
      assertEquals(OutsideRunState.SUBMITTED, state(bridge, SECOND));
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, THIRD));
      accepted(FIRST);
      accepted(THIRD);
      bridge.awaitSubmissions();
      assertEquals(3, journal.count(OutsideRunState.SUBMITTED));
      assertEquals(3, submissions.get());
    }
  }

  /** The command lives: whatever the queue does not show, nothing is sure before its answer. */
  @Test
  void oneThatIsUnderWayIsNotLookedForNorSubmittedAgain() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal, FIRST);
      bridge.step();
      int before = questions.get();
      for (int i = 0; i < 10; i++) {
        played.now = played.now.plus(Duration.ofMinutes(10));
        bridge.step();
        assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, FIRST));
      }
      assertTrue(questions.get() > before, "the queue is asked for what others hold");
      answers.get(FIRST).complete(new Submitted.SubmissionUnclear("cut off"));
      assertTrue(news.tryAcquire(60, TimeUnit.SECONDS));
      bridge.step();
      assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, state(bridge, FIRST));
      answers.put(FIRST, CompletableFuture.completedFuture(new Submitted.Accepted(NUMBER)));
      played.steps(bridge, 6, Duration.ofSeconds(2));
      bridge.awaitSubmissions();
      assertEquals(Optional.of(NUMBER), bridge.run(FIRST).orElseThrow().id());
      assertEquals(2, submissions.get());
    }
  }

  @Test
  void anOrderToDeleteThatComesMeanwhileStays() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal, FIRST);
      bridge.step();
      bridge.delete(FIRST);
      accepted(FIRST);
      bridge.awaitSubmissions();
      OutsideRun run = bridge.run(FIRST).orElseThrow();
      assertEquals(Optional.of(NUMBER), run.id());
      assertTrue(run.delete());
    }
  }

  /** A line of its begin can come before the answer, which is older then. */
  @Test
  void aBeginThatIsToldBeforeTheAnswerStays() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal, FIRST);
      bridge.step();
      moves = List.of(began());
      bridge.step();
      moves = List.of();
      assertEquals(OutsideRunState.RUNNING, state(bridge, FIRST));
      accepted(FIRST);
      bridge.awaitSubmissions();
      assertEquals(OutsideRunState.RUNNING, state(bridge, FIRST));
      assertFalse(bridge.silence().isPresent());
    }
  }

  private OutsideMove began() {
    return new OutsideMove(
        NUMBER,
        PlayedRuns.ACCOUNT,
        Optional.of(FIRST),
        OutsideState.RUNNING,
        played.now,
        Optional.empty());
  }
}
