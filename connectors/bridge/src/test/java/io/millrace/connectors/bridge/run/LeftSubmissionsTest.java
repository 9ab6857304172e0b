package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions that a process before this one has begun. */
class LeftSubmissionsTest {

  @TempDir Path folder;

  private PlayedRuns runs;
  private RunJournal journal;

  @BeforeEach
  void open() throws Exception {
    journal = RunJournal.open(folder.resolve("journal"));
    runs = new PlayedRuns(folder.resolve("spool"));
    runs.terms = RunSubmitterTest.TERMS;
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1);
  }

  private void left(int job, Instant since) throws Exception {
    journal.put(runs.ordered(tag(job), PlayedRuns.ACCOUNT).aboutToSubmit(since));
  }

  /** Looks until nothing is unclear. */
  private Duration settles(RunSubmitter submitter) throws Exception {
    Instant begin = runs.now;
    while (journal.count(OutsideRunState.ABOUT_TO_SUBMIT) > 0) {
      assertTrue(runs.now.isBefore(begin.plusSeconds(600)), "it waits on");
      submitter.lookDue();
      runs.now = runs.now.plusSeconds(5);
    }
    return Duration.between(begin, runs.now);
  }

  /** The command may live for 20 s; 10 s after that a look is final, and one step has 5 s. */
  @Test
  void aClockThatWasPutBackMeanwhileKeepsNothingWaiting() throws Exception {
    left(1, runs.now.plus(Duration.ofHours(1)));
    assertEquals(Duration.ofSeconds(35), settles(runs.submitter(journal)));
    assertEquals(1, journal.count(OutsideRunState.ORDERED));
  }

  /** It may be held here, which nobody has told this process yet. */
  @Test
  void oneThatHasNotComeThroughIsNotMadeAgainBeforeItIsKnownWhetherItIsHeld() throws Exception {
    List<String> submitted = new ArrayList<>();
    runs =
        new PlayedRuns(
            folder.resolve("spool"),
            (question, arguments) -> {
              if (!question.equals("submit")) {
                throw new UnsupportedOperationException(question);
              }
              submitted.add(question);
              return new Submitted.Accepted(OutsideId.of(77));
            });
    left(1, runs.now);
    OutsideBridge bridge = runs.bridge(journal);
    bridge.keepAllBack();
    runs.steps(bridge, 120, Duration.ofSeconds(1));
    assertEquals(OutsideRunState.ORDERED, journal.run(tag(1)).orElseThrow().state());
    assertEquals(List.of(), submitted);
    bridge.keepBack(tag(1), false);
    runs.steps(bridge, 60, Duration.ofSeconds(1));
    assertEquals(List.of("submit"), submitted);
  }

  @Test
  void whatHasComeOfItIsNotKept() throws Exception {
    Instant before = runs.now;
    for (int job = 1; job <= 2; job++) {
      left(job, before);
    }
    LeftSubmissions left = new LeftSubmissions(runs.parts(journal));
    left.leave();
    Instant end = before.plus(RunSubmitterTest.TERMS.commandLimit());
    journal.put(journal.run(tag(1)).orElseThrow().orderedAgain(runs.now));
    left.trim();
    for (int job = 1; job <= 2; job++) {
      left(job, before);
      Instant lived = left.lived(journal.run(tag(job)).orElseThrow(), runs.now);
      assertEquals(job == 1 ? before : end, lived, "job " + job);
    }
  }
}
