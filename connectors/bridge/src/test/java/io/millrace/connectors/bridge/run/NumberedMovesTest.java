package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lines without a tag say of runs. */
class NumberedMovesTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final OutsideTag TAG = new OutsideTag("c1", "1", 1);
  private static final OutsideId NUMBER = OutsideId.of(77);

  @TempDir Path folder;

  private Instant now = NOW;
  private RunJournal journal;
  private NumberedMoves moves;

  @BeforeEach
  void open() throws IOException {
    journal = RunJournal.open(folder);
    BridgeTerms terms =
        new BridgeTerms(
            Duration.ofSeconds(5),
            Duration.ofSeconds(300),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            10,
            10,
            10,
            1);
    moves = new NumberedMoves(new BridgeParts(null, null, journal, terms, () -> now));
    journal.put(OutsideRun.ordered(RunSubmitterTest.order(1, "q"), NOW).aboutToSubmit(NOW));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private void submitted() throws IOException {
    journal.put(journal.run(TAG).orElseThrow().submittedAs(NUMBER, now));
  }

  private void take(OutsideState state, String account, Instant at) throws IOException {
    moves.take(new OutsideMove(NUMBER, account, Optional.empty(), state, at, Optional.empty()));
  }

  private OutsideRunState state() {
    return journal.run(TAG).orElseThrow().state();
  }

  @Test
  void itBeginsAndEndsAndNothingIsSaidOfHow() throws Exception {
    submitted();
    take(OutsideState.RUNNING, "alice", NOW);
    assertEquals(OutsideRunState.RUNNING, state());
    take(OutsideState.ENDING, "alice", NOW.plusSeconds(1));
    assertEquals(OutsideRunState.ENDING, state());
    assertEquals(Optional.empty(), journal.run(TAG).orElseThrow().end());
  }

  /** A line that says no more than the number is of whoever has it, and no earlier than it is. */
  @Test
  void aLineMaySayNoMoreThanTheNumber() throws Exception {
    submitted();
    take(OutsideState.RUNNING, "", NOW.minusSeconds(60));
    assertEquals(OutsideRunState.SUBMITTED, state());
    take(OutsideState.RUNNING, "", NOW);
    assertEquals(OutsideRunState.RUNNING, state());
  }

  /** sbatch is answered after a job that begins at once has begun. */
  @Test
  void aLineMayComeBeforeTheNumber() throws Exception {
    take(OutsideState.RUNNING, "alice", NOW);
    now = NOW.plusSeconds(3);
    submitted();
    moves.takeWaiting();
    assertEquals(OutsideRunState.RUNNING, state());
  }

  @Test
  void aLineWaitsForANumberNoLongerThanACommandLasts() throws Exception {
    take(OutsideState.RUNNING, "alice", NOW);
    now = NOW.plusSeconds(21);
    moves.takeWaiting();
    submitted();
    moves.takeWaiting();
    assertEquals(OutsideRunState.SUBMITTED, state());
  }

  @Test
  void numbersAreUsedAgain() throws Exception {
    now = NOW.plusSeconds(100);
    submitted();
    take(OutsideState.RUNNING, "bob", now);
    take(OutsideState.RUNNING, "alice", NOW.plusSeconds(70));
    assertEquals(OutsideRunState.SUBMITTED, state());
    take(OutsideState.RUNNING, "alice", NOW.plusSeconds(98));
    assertEquals(OutsideRunState.RUNNING, state());
  }

  /** One that the queue does not show may have its number in doubt. */
  @Test
  void aRunThatIsNotHeardOfStaysSo() throws Exception {
    submitted();
    journal.put(journal.run(TAG).orElseThrow().seen(OutsideRunState.NOT_HEARD_OF, now));
    take(OutsideState.RUNNING, "alice", NOW);
    take(OutsideState.ENDING, "alice", NOW);
    assertEquals(OutsideRunState.NOT_HEARD_OF, state());
  }

  @Test
  void aLateLineOfItsBeginDoesNotTakeItsEndBack() throws Exception {
    submitted();
    take(OutsideState.ENDING, "alice", NOW);
    take(OutsideState.RUNNING, "alice", NOW);
    assertEquals(OutsideRunState.ENDING, state());
  }

  @Test
  void linesOfOthersDoNotFillTheMemory() throws Exception {
    for (int i = 0; i <= NumberedMoves.WAITING_MOST; i++) {
      OutsideId id = OutsideId.of(77 + i);
      moves.take(
          new OutsideMove(
              id, "alice", Optional.empty(), OutsideState.RUNNING, NOW, Optional.empty()));
    }
    submitted();
    moves.takeWaiting();
    // The oldest has given way.
    assertEquals(OutsideRunState.SUBMITTED, state());
  }

  @Test
  void theJournalFindsNumbersAgain() throws Exception {
    submitted();
    journal.close();
    journal = RunJournal.open(folder);
    assertEquals(TAG, journal.run(NUMBER).orElseThrow().tag());
    journal.forget(TAG);
    assertEquals(Optional.empty(), journal.run(NUMBER));
  }
}
