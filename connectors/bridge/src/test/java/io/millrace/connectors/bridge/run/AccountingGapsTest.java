package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of which no record was read, where records may have been lost. */
class AccountingGapsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 9, 9, 9, 1);
  private static final String ACCOUNT = System.getProperty("user.name");

  @TempDir Path folder;

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private Told<OutsideChanges> changes = changes(false);

  private static Told<OutsideChanges> changes(boolean gap) {
    return Told.of(new OutsideChanges(List.of(), List.of(), "5", true, gap));
  }

  private Object answer(String question) {
    return switch (question) {
      case "snapshot" -> Told.of(List.<OutsideJob>of());
      case "byNumber" ->
          Told.of(Map.of(OutsideId.of(1), Optional.empty(), OutsideId.of(2), Optional.empty()));
      case "changes" -> changes;
      case "hasAccounting" -> true;
      case "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideBridge bridge(RunJournal journal) {
    OutsideSystem system = PlayedSystem.of((question, arguments) -> answer(question));
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    SharedRunFolders folders = new SharedRunFolders(folder + "", new ProcessRunner(), commands);
    return new OutsideBridge(new BridgeParts(system, folders, journal, TERMS, () -> now));
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1);
  }

  @BeforeEach
  void scriptsThatHaveBegun() throws Exception {
    for (int job = 1; job <= 2; job++) {
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + tag(job)));
      Files.writeString(claim.resolve("claim"), "id=" + job + "\nhost=n1\nbegan=1795646850\n");
    }
  }

  private void submitted(RunJournal journal, int job) throws Exception {
    OutsideRun run = OutsideRun.ordered(PlayedSystem.order(tag(job), ACCOUNT), now);
    journal.put(run.aboutToSubmit(now).submittedAs(OutsideId.of(job), now));
  }

  private OutsideRunState steps(OutsideBridge bridge, int job) throws Exception {
    for (int i = 0; i < 4; i++) {
      now = now.plusSeconds(2);
      bridge.step();
    }
    return bridge.run(tag(job)).orElseThrow().state();
  }

  /** Its record may stand before the place from which it is read on. */
  @Test
  void whatEndedBeforeAccountingWasEverReadIsNotHeardOf() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      changes = Told.nothing("accounting cannot be read");
      bridge.step();
      submitted(journal, 1);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge, 1));
      changes = changes(false);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge, 1));
      submitted(journal, 2);
      assertEquals(OutsideRunState.ENDED, steps(bridge, 2), "all was read since");
    }
  }

  @Test
  void aGapIsKnownToTheNextProcess() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      bridge.step();
      submitted(journal, 1);
      changes = changes(true);
      bridge.step();
      changes = changes(false);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge, 1));
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      assertEquals(OutsideRunState.NOT_HEARD_OF, steps(bridge, 1));
      submitted(journal, 2);
      assertEquals(OutsideRunState.ENDED, steps(bridge, 2));
    }
  }
}
