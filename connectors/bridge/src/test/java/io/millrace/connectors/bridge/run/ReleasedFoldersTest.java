package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
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

class ReleasedFoldersTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 999, 999, 999, 1);

  private static final String ACCOUNT = System.getProperty("user.name");

  @TempDir Path folder;

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();
  private final List<List<String>> removals = new ArrayList<>();
  private boolean forbidden;

  private Object answer(String question) {
    return switch (question) {
      case "tagged", "snapshot" -> Told.of(List.copyOf(queue));
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    removals.add(command.words());
    return forbidden
        ? new OutsideAnswer(
            OutsideAnswer.ProcessEnding.EXITED, 1, "", "sudo: a password is required", SECOND)
        : new ProcessRunner().run(command);
  }

  private OutsideBridge bridge(RunJournal journal) {
    OutsideSystem system = PlayedSystem.of((question, arguments) -> answer(question));
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    SharedRunFolders folders = new SharedRunFolders(folder + "/spool", this::run, commands, 3);
    return new OutsideBridge(new BridgeParts(system, folders, journal, TERMS, () -> now));
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1).of("x7k2p9");
  }

  private Path runFolder(int job) {
    return runFolder(tag(job));
  }

  private Path runFolder(OutsideTag tag) {
    return folder.resolve("spool/" + ACCOUNT + "/" + tag);
  }

  /** A run that has ended and was released. */
  private void released(RunJournal journal, OutsideBridge bridge, int job) throws Exception {
    released(journal, bridge, tag(job));
  }

  private void released(RunJournal journal, OutsideBridge bridge, OutsideTag tag) throws Exception {
    OutsideSubmission order = PlayedSystem.order(tag, ACCOUNT);
    Files.createDirectories(runFolder(tag));
    Files.writeString(runFolder(tag).resolve("exit"), "status=0\nended=1795646850\n");
    journal.put(
        OutsideRun.ordered(order, now)
            .aboutToSubmit(now)
            .submittedAs(OutsideId.of(7), now)
            .ended(OutsideEnd.of(OutsideCause.UNKNOWN, ""), now));
    bridge.forget(tag);
  }

  private void days(OutsideBridge bridge, int days) throws Exception {
    now = now.plus(Duration.ofDays(days));
    for (int i = 0; i < 5; i++) {
      now = now.plusSeconds(700);
      bridge.step();
    }
  }

  @Test
  void foldersOfRunsThatAreOverAreRemovedDaysLaterByWhoeverServesThen() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (int i = 1; i <= 100; i++) {
        released(journal, bridge, i);
      }
      days(bridge, 2);
      released(journal, bridge, 101);
      assertTrue(Files.exists(runFolder(1)), "its claim is kept for some days");
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      days(bridge, 2);
      for (int i = 1; i <= 100; i++) {
        assertFalse(Files.exists(runFolder(i)), i + "");
      }
      assertTrue(Files.exists(runFolder(101)));
      assertEquals(2, removals.size(), "commands for 100 folders");
      days(bridge, 9);
      assertFalse(Files.exists(runFolder(101)));
      assertEquals(3, removals.size());
    }
  }

  /** Without its folder it would begin the script again. */
  @Test
  void theFolderOfARunStaysWhileACopyOfItWaits() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      released(journal, bridge, 1);
      queue.add(ShownJobs.job(OutsideId.of(77), ACCOUNT, tag(1), OutsideState.RUNNING));
      days(bridge, 9);
      assertTrue(Files.exists(runFolder(1)));
      queue.clear();
      days(bridge, 9);
      assertFalse(Files.exists(runFolder(1)));
    }
  }

  /** Each of its tasks would begin the script of a run again, whichever array that went with. */
  @Test
  void theFoldersOfAnArraysRunsStayWhileACopyOfTheArrayWaits() throws Exception {
    List<OutsideTag> runs = List.of(task("12-1"), task("12-2"));
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (OutsideTag run : runs) {
        released(journal, bridge, run);
      }
      released(journal, bridge, task("13-1"));
      released(journal, bridge, task("12-1").of("b00000"));
      queue.add(ShownJobs.job(OutsideId.of(77), ACCOUNT, mark("12"), OutsideState.HELD));
      queue.add(ShownJobs.job(OutsideId.of(78), "eve", mark("13"), OutsideState.HELD));
      days(bridge, 9);
      for (OutsideTag run : runs) {
        assertTrue(Files.exists(runFolder(run)), run + "");
      }
      assertFalse(Files.exists(runFolder(task("13-1"))), "the mark is another account's job's");
      assertFalse(Files.exists(runFolder(task("12-1").of("b00000"))), "of another home");
      queue.clear();
      days(bridge, 9);
      for (OutsideTag run : runs) {
        assertFalse(Files.exists(runFolder(run)), run + "");
      }
    }
  }

  private static OutsideTag task(String job) {
    return new OutsideTag("c1", job, 1).of("x7k2p9");
  }

  private static OutsideTag mark(String job) {
    return new OutsideTag("c1", job, 795646850).of("x7k2p9");
  }

  @Test
  void whatCouldNotBeRemovedIsTriedAgain() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      released(journal, bridge, 1);
      forbidden = true;
      days(bridge, 9);
      assertTrue(Files.exists(runFolder(1)));
      assertTrue(removals.size() > 1, removals + "");
      forbidden = false;
      days(bridge, 0);
      assertFalse(Files.exists(runFolder(1)));
    }
  }
}
