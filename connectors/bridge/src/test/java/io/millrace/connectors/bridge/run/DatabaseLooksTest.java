package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem.DatabaseState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.MemoryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A submission that was not answered and that no queue shows may be in a database. */
class DatabaseLooksTest {

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final List<String> asked = new ArrayList<>();
  private Told<Map<OutsideTag, OutsideId>> database = Told.nothing("sacct: no connection");
  private DatabaseState state = DatabaseState.ASKED;
  private PlayedRuns runs;

  private Object answer(String question, Object... arguments) {
    if (question.equals("database")) {
      return state;
    }
    if (question.equals("inDatabase")) {
      Collection<?> marks = (Collection<?>) arguments[1];
      assertTrue(((Duration) arguments[2]).compareTo(Duration.ofMinutes(10)) >= 0);
      asked.add(arguments[0] + " " + marks);
      return database;
    }
    if (question.equals("hasAccounting")) {
      return false;
    }
    throw new UnsupportedOperationException(question);
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1);
  }

  private RunSubmitter unclear(RunJournal journal, int jobs) throws Exception {
    for (int job = 1; job <= jobs; job++) {
      journal.put(
          OutsideRun.ordered(PlayedSystem.order(tag(job), PlayedRuns.ACCOUNT), runs.now)
              .aboutToSubmit(runs.now));
    }
    BridgeParts parts =
        new BridgeParts(
            PlayedSystem.of(this::answer), runs.folders, journal, runs.terms, () -> runs.now);
    return new RunSubmitter(parts, runs.breaker, new AccountingReader(parts));
  }

  /** As after an outage: no account waits for others where nobody is asked. */
  @Test
  void withoutADatabaseAllAccountsAreSettledAtOnce() throws Exception {
    runs = new PlayedRuns(folder, this::answer);
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = unclear(journal, 0);
      for (int job = 1; job <= 100; job++) {
        journal.put(
            OutsideRun.ordered(PlayedSystem.order(tag(job), "user" + job), runs.now)
                .aboutToSubmit(runs.now));
      }
      state = DatabaseState.NONE;
      database = Told.of(Map.of());
      pass(submitter, 5);
      assertEquals(0, journal.count(OutsideRunState.ABOUT_TO_SUBMIT));
      assertEquals(100, journal.count(OutsideRunState.ORDERED));
      assertEquals(List.of(), asked);
    }
  }

  private void pass(RunSubmitter submitter, int seconds) throws Exception {
    for (int i = 0; i < seconds; i++) {
      runs.now = runs.now.plusSeconds(1);
      submitter.settle(List.of(), runs.now);
    }
  }

  @Test
  void itIsNotMadeAgainUntilTheDatabaseHasToldThatItIsNotThere() throws Exception {
    runs = new PlayedRuns(folder, this::answer);
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = unclear(journal, 3);
      pass(submitter, 60);
      assertEquals(3, journal.count(OutsideRunState.ABOUT_TO_SUBMIT));
      assertEquals(
          Optional.of("in the name of " + PlayedRuns.ACCOUNT + ": sacct: no connection"),
          submitter.trouble());
      assertTrue(asked.size() <= 60, asked::toString);
      assertTrue(asked.get(0).contains(tag(1).toString()), asked::toString);
      assertTrue(asked.get(0).contains(tag(3).toString()), "one question for all");
      asked.clear();
      database = Told.of(Map.of(tag(2), OutsideId.of(77)));
      pass(submitter, 5);
      assertEquals(1, asked.size(), asked::toString);
      assertEquals(OutsideRunState.ORDERED, journal.run(tag(1)).orElseThrow().state());
      OutsideRun found = journal.run(tag(2)).orElseThrow();
      assertEquals(OutsideRunState.SUBMITTED, found.state());
      assertEquals(Optional.of(OutsideId.of(77)), found.id());
      assertEquals(1, found.attempts());
      assertEquals(Optional.empty(), submitter.trouble());
    }
  }
}
