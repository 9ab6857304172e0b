package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bridge does while much is to be done, nobody answers, or the clock is put back. */
class BridgeBoundsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 99, 99, 99, 1);
  private static final String ACCOUNT = System.getProperty("user.name");

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();
  private final List<OutsideId> deleted = new ArrayList<>();
  private final List<OutsideTag> submitted = new ArrayList<>();
  private BridgeTerms terms = TERMS;
  private boolean gap;

  /** Questions for the whole of the queue, and when they were asked, in milliseconds. */
  private final List<String> questions = new ArrayList<>();

  private final Instant begin = now;
  private boolean tags;

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "snapshot", "tagged" -> {
        questions.add(question + " " + Duration.between(begin, now).toMillis());
        yield Told.of(List.copyOf(queue));
      }
      case "snapshotHasTags" -> tags;
      case "submit" -> {
        submitted.add(((OutsideSubmission) arguments[0]).tag());
        yield new Submitted.Accepted(OutsideId.of(1000 + submitted.size()));
      }
      case "byNumber" -> Told.of(Map.of());
      case "control" -> {
        deleted.add((OutsideId) arguments[0]);
        yield new Controlled.Done("");
      }
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, gap));
      case "hasAccounting", "recordsUsage" -> false;
      case "isSubmitting" -> true;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideBridge bridge(RunJournal journal) {
    OutsideSystem system = PlayedSystem.of(this::answer);
    AccountCommands commands =
        new AccountCommands(Optional.empty(), Optional.empty(), Map.of(), SECOND, 1000);
    SharedRunFolders folders = new SharedRunFolders(folder + "", command -> null, commands);
    return new OutsideBridge(new BridgeParts(system, folders, journal, terms, () -> now), breaker);
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1);
  }

  private static OutsideSubmission order(int job) {
    return PlayedSystem.order(tag(job), ACCOUNT);
  }

  private void running(RunJournal journal, int job) throws Exception {
    there(journal, job, OutsideRunState.RUNNING, OutsideState.RUNNING);
  }

  private void there(RunJournal journal, int job, OutsideRunState state, OutsideState shown)
      throws Exception {
    journal.put(
        OutsideRun.ordered(order(job), now)
            .aboutToSubmit(now)
            .submittedAs(OutsideId.of(job), now)
            .seen(state, now));
    queue.add(ShownJobs.job(OutsideId.of(job), ACCOUNT, tag(job), shown));
  }

  /** Which of them wait there nobody knows then: no more may, however many were ordered. */
  @Test
  void afterASilenceNothingIsSubmittedBeforeTheQueueHasBeenRead() throws Exception {
    terms = new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 5, 5, 99, 1);
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (int i = 1; i <= 5; i++) {
        there(journal, i, OutsideRunState.WAITING, OutsideState.WAITING);
      }
      for (int i = 11; i <= 50; i++) {
        bridge.order(order(i));
      }
      now = now.plusSeconds(1);
      bridge.step();
      for (int i = 0; i < 3; i++) {
        breaker.silent("nobody answers", now);
      }
      bridge.step();
      assertEquals(5, journal.count(OutsideRunState.NOT_HEARD_OF));
      breaker.answered();
      bridge.step();
      assertEquals(List.of(), submitted, "who asks for hosts was answered");
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      queue.set(0, ShownJobs.job(OutsideId.of(1), ACCOUNT, tag(1), OutsideState.RUNNING));
      bridge.step();
      assertEquals(List.of(), submitted, "nor does the next process");
      now = now.plusMillis(200);
      bridge.step();
      assertEquals(List.of(tag(11)), submitted, "one of five does not wait any more");
    }
  }

  private void unclear(RunJournal journal, int job) throws Exception {
    journal.put(OutsideRun.ordered(order(job), now).aboutToSubmit(now).unclearSince(now));
    queue.add(ShownJobs.job(OutsideId.of(job), ACCOUNT, tag(job), OutsideState.WAITING));
  }

  /** One question for all of it answers both. */
  @Test
  void aQueueThatShowsMarksIsNotAskedAgainForThem() throws Exception {
    tags = true;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      unclear(journal, 1);
      bridge.step();
      assertEquals(List.of("snapshot 0"), questions);
      assertEquals(OutsideRunState.SUBMITTED, bridge.run(tag(1)).orElseThrow().state());
    }
  }

  /** Two dear questions come no more often than one alone may. */
  @Test
  void aQueueThatShowsNoMarksIsAskedForBothInTurn() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      running(journal, 1);
      unclear(journal, 2);
      queue.remove(1);
      for (int i = 0; i < 50; i++) {
        now = now.plusMillis(200);
        bridge.step();
      }
      assertTrue(questions.size() <= 12, "within ten seconds: " + questions);
      long marks = questions.stream().filter(it -> it.startsWith("tagged")).count();
      assertTrue(marks >= 4 && questions.size() - marks >= 4, questions + "");
    }
  }

  /** Each is a command, and submissions wait for all of them. */
  @Test
  void manyDeletionsComeInPortionsAndNoneTwiceBeforeAllOnce() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (int i = 1; i <= 50; i++) {
        running(journal, i);
        bridge.delete(tag(i));
      }
      for (int i = 0; i < 3; i++) {
        now = now.plusSeconds(11);
        int before = deleted.size();
        bridge.step();
        assertTrue(deleted.size() - before <= 20, "in one step: " + (deleted.size() - before));
      }
      assertEquals(50, new HashSet<>(deleted).size());
    }
  }

  /** Nothing of it is outside. */
  @Test
  void aRunThatWasNeverSubmittedIsDeletedThoughNobodyAnswers() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (int i = 0; i < 3; i++) {
        breaker.silent("nobody answers", now);
      }
      bridge.order(order(1));
      bridge.delete(tag(1));
      bridge.step();
      OutsideRun run = bridge.run(tag(1)).orElseThrow();
      assertEquals(OutsideRunState.ENDED, run.state());
      assertEquals(OutsideCause.CANCELLED, run.end().orElseThrow().cause());
    }
  }

  /** What was submitted in the hour that comes again is looked at, and so is what was missed. */
  @Test
  void aClockThatIsPutBackKeepsNoRunFromSight() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      running(journal, 1);
      running(journal, 2);
      queue.remove(1);
      now = now.plusSeconds(1);
      bridge.step();
      assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(tag(2)).orElseThrow().state());
      now = now.minus(Duration.ofHours(1));
      queue.set(0, ShownJobs.job(OutsideId.of(1), ACCOUNT, tag(1), OutsideState.SUSPENDED));
      bridge.step();
      assertEquals(OutsideRunState.SUSPENDED, bridge.run(tag(1)).orElseThrow().state());
      bridge.delete(tag(1));
      bridge.step();
      assertEquals(List.of(OutsideId.of(1)), deleted);
      now = now.minus(Duration.ofHours(1));
      bridge.step();
      assertEquals(2, deleted.size(), "an order of the hour that comes again is given again");
    }
  }

  /** Of accounting that has got shorter one line tells. */
  @Test
  void aGapOfAccountingIsInTheLog() throws Exception {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord said) {
            lines.add(String.valueOf(said.getMessage()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger(AccountingReader.class.getName());
    log.addHandler(handler);
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      bridge.step();
      assertEquals(List.of(), lines);
      gap = true;
      bridge.step();
      assertEquals(1, lines.size());
      assertTrue(lines.get(0).contains("shorter"), lines.get(0));
    } finally {
      log.removeHandler(handler);
    }
  }
}
