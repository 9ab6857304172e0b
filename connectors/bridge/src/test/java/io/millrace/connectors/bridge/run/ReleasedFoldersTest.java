package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleasedFoldersTest {

  @TempDir Path folder;

  private final List<List<String>> removals = new ArrayList<>();
  private boolean forbidden;
  private PlayedRuns runs;

  @BeforeEach
  void begin() {
    runs = new PlayedRuns(folder.resolve("spool"));
    runs.terms = PlayedRuns.terms(PlayedRuns.SECOND, 999);
    runs.inSpool(this::run, 3);
  }

  private OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    removals.add(command.words());
    return forbidden
        ? new OutsideAnswer(
            OutsideAnswer.ProcessEnding.EXITED,
            1,
            "",
            "sudo: a password is required",
            PlayedRuns.SECOND)
        : new ProcessRunner().run(command);
  }

  private OutsideBridge bridge(RunJournal journal) {
    return runs.bridge(journal);
  }

  private static OutsideTag tag(int job) {
    return new OutsideTag("c1", job + "", 1).of("x7k2p9");
  }

  private Path runFolder(int job) {
    return runFolder(tag(job));
  }

  private Path runFolder(OutsideTag tag) {
    return folder.resolve("spool/" + PlayedRuns.ACCOUNT + "/" + tag);
  }

  /** A run that has ended and was released. */
  private void released(RunJournal journal, OutsideBridge bridge, int job) throws Exception {
    released(journal, bridge, tag(job));
  }

  private void released(RunJournal journal, OutsideBridge bridge, OutsideTag tag) throws Exception {
    Files.createDirectories(runFolder(tag));
    Files.writeString(runFolder(tag).resolve("exit"), "status=0\nended=1795646850\n");
    journal.put(
        runs.submitted(tag, OutsideId.of(7))
            .ended(OutsideEnd.of(OutsideCause.UNKNOWN, ""), runs.now));
    bridge.forget(tag);
  }

  private void days(OutsideBridge bridge, int days) throws Exception {
    runs.now = runs.now.plus(Duration.ofDays(days));
    runs.steps(bridge, 5, Duration.ofSeconds(700));
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
      runs.queue.add(
          ShownJobs.job(OutsideId.of(77), PlayedRuns.ACCOUNT, tag(1), OutsideState.RUNNING));
      days(bridge, 9);
      assertTrue(Files.exists(runFolder(1)));
      runs.queue.clear();
      days(bridge, 9);
      assertFalse(Files.exists(runFolder(1)));
    }
  }

  /** Each of its tasks would begin the script of a run again, whichever array that went with. */
  @Test
  void theFoldersOfAnArraysRunsStayWhileACopyOfTheArrayWaits() throws Exception {
    List<OutsideTag> tasks = List.of(task("12-1"), task("12-2"));
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      for (OutsideTag run : tasks) {
        released(journal, bridge, run);
      }
      released(journal, bridge, task("13-1"));
      released(journal, bridge, task("12-1").of("b00000"));
      runs.queue.add(
          ShownJobs.job(OutsideId.of(77), PlayedRuns.ACCOUNT, mark("12"), OutsideState.HELD));
      runs.queue.add(ShownJobs.job(OutsideId.of(78), "eve", mark("13"), OutsideState.HELD));
      days(bridge, 9);
      for (OutsideTag run : tasks) {
        assertTrue(Files.exists(runFolder(run)), run + "");
      }
      assertFalse(Files.exists(runFolder(task("13-1"))), "the mark is another account's job's");
      assertFalse(Files.exists(runFolder(task("12-1").of("b00000"))), "of another home");
      runs.queue.clear();
      days(bridge, 9);
      for (OutsideTag run : tasks) {
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

  /** As of a disk that was full when the line before was written. */
  @Test
  void aLineThatWasCutShortTakesNoOtherWithIt() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      Path days = Files.createDirectories(folder.resolve("journal/released"));
      Files.writeString(days.resolve("2026-11-25"), PlayedRuns.ACCOUNT + " mr.c");
      released(journal, bridge, 1);
      days(bridge, 9);
      assertFalse(Files.exists(runFolder(1)));
    }
  }

  /** That the journal forgets it may take more than one trial. */
  @Test
  void aRunThatIsNotForgottenAtOnceIsNotedOnce() throws Exception {
    boolean[] full = {false};
    try (RunJournal journal =
        RunJournal.open(
            folder.resolve("journal"), channel -> bytes -> write(channel, bytes, full[0]))) {
      OutsideBridge bridge = bridge(journal);
      OutsideRun run = runs.submitted(tag(1), OutsideId.of(7));
      journal.put(run.ended(OutsideEnd.of(OutsideCause.UNKNOWN, ""), runs.now));
      full[0] = true;
      for (int i = 0; i < 3; i++) {
        assertThrows(IOException.class, () -> bridge.forget(tag(1)));
      }
      full[0] = false;
      bridge.forget(tag(1));
      assertTrue(bridge.run(tag(1)).isEmpty());
      String noted = Files.readString(folder.resolve("journal/released/2026-11-25"));
      assertEquals(PlayedRuns.ACCOUNT + " " + tag(1), noted.strip());
    }
  }

  private static int write(FileChannel channel, ByteBuffer bytes, boolean full) throws IOException {
    if (full) {
      throw new IOException("no space left on device");
    }
    return channel.write(bytes);
  }
}
