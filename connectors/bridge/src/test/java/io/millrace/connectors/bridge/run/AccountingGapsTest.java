package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of which no record was read, where records may have been lost. */
class AccountingGapsTest {

  @TempDir Path folder;

  private Told<OutsideChanges> changes = PlayedRuns.changes(false);
  private PlayedRuns runs;

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "changes" -> changes;
      case "hasAccounting" -> true;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1);
  }

  @BeforeEach
  void scriptsThatHaveBegun() throws Exception {
    runs = new PlayedRuns(folder, this::answer);
    for (int job = 1; job <= 2; job++) {
      runs.begun(tag(job), OutsideId.of(job));
    }
  }

  private void submitted(RunJournal journal, int job) throws Exception {
    journal.put(runs.submitted(tag(job), OutsideId.of(job)));
  }

  /** Its record may stand before the place from which it is read on. */
  @Test
  void whatEndedBeforeAccountingWasEverReadIsNotHeardOf() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = runs.bridge(journal);
      changes = Told.nothing("accounting cannot be read");
      bridge.step();
      submitted(journal, 1);
      assertEquals(OutsideRunState.NOT_HEARD_OF, runs.after(bridge, tag(1)));
      changes = PlayedRuns.changes(false);
      assertEquals(OutsideRunState.NOT_HEARD_OF, runs.after(bridge, tag(1)));
      submitted(journal, 2);
      assertEquals(OutsideRunState.ENDED, runs.after(bridge, tag(2)), "all was read since");
    }
  }

  @Test
  void aGapIsKnownToTheNextProcess() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = runs.bridge(journal);
      bridge.step();
      submitted(journal, 1);
      changes = PlayedRuns.changes(true);
      bridge.step();
      changes = PlayedRuns.changes(false);
      assertEquals(OutsideRunState.NOT_HEARD_OF, runs.after(bridge, tag(1)));
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = runs.bridge(journal);
      assertEquals(OutsideRunState.NOT_HEARD_OF, runs.after(bridge, tag(1)));
      submitted(journal, 2);
      assertEquals(OutsideRunState.ENDED, runs.after(bridge, tag(2)));
    }
  }
}
