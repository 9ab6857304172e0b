package io.millrace.server.accounting.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files of the days: whose they are, and that a line stands in them once. */
class AccountFilesTest extends AccountFixture {
  /** Whoever can read the lock in it can hold it, and no accounting would start. */
  @Test
  void nobodyElseSeesTheStateBesideTheFiles() throws IOException {
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(".state"))));
  }

  /** Lines tell who runs what: they are for the owner of the home and its group. */
  @Test
  void theFilesAreClosedToOthers() throws IOException {
    Path priv = folder.resolve("server_priv");
    Path below = priv.resolve("accounting");
    try (AccountBook own = new AccountBook(below.resolve(".state"), CODEC)) {
      DayFiles fresh = new DayFiles(below, ZoneOffset.UTC);
      fresh.open(own);
      fresh.add(BEGIN, "a line");
      fresh.write(own);
    }
    assertEquals("rwxr-x---", mode(priv));
    assertEquals("rwxr-x---", mode(below));
    assertEquals("rw-r-----", mode(below.resolve("20261120")));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whatIsWrittenAtOnceStandsInTheOrderOfItsTime() throws IOException {
    Job moved = job(1);
    moved.getSpec().setQueue("other");
    follow(3, new JobAccepted(at(5000), 0, moved, null, List.of(), false));
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new JobHandedOver(at(6000), "1.vm", 3));
    List<String> lines = lines("20261120");
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains(" queue=workq "), lines.toString());
    assertTrue(lines.get(1).contains(" queue=other "), lines.toString());
  }

  @Test
  void whatWasNotKeptIsWrittenAgainOnce() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    write();
    follow(0, new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(200), "1.vm", 1, 3259L, BEGIN + 150));
    // A line of the next day, too. Then the process dies between the files and its own records.
    follow(0, finished(86_400_000, 0, BEGIN + 150));
    files.write(book);
    assertTrue(Files.exists(folder.resolve("20261121")));
    close();
    open();
    assertEquals(1, lines("20261120").size());
    assertEquals(List.of(), lines("20261121"));
    follow(0, new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(200), "1.vm", 1, 3259L, BEGIN + 150));
    follow(0, finished(86_400_000, 0, BEGIN + 150));
    write();
    assertEquals(2, lines("20261120").size());
    assertEquals(1, lines("20261121").size());
  }

  @Test
  void filesThatAnAdministratorTookAwayAreLeftToHim() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    write();
    Files.delete(folder.resolve("20261120"));
    close();
    open();
    assertFalse(Files.exists(folder.resolve("20261120")));
    follow(0, new JobDeleted(at(5000), "1.vm", 271, "root@vm", "", false));
    write();
    assertEquals(List.of("11/20/2026 15:35:59;D;1.vm;requestor=root@vm"), lines("20261120"));
  }

  @Test
  void filesOfAnotherBookAreRefusedAndLeft() throws IOException {
    close();
    Path restored = Files.createDirectory(folder.resolve("restored"));
    Path day = Files.writeString(restored.resolve("20261119"), "a line\n");
    Path state = restored.resolve(".state");
    for (int i = 0; i < 2; i++) {
      try (AccountBook fresh = new AccountBook(state, CODEC)) {
        IOException refused =
            assertThrows(
                IOException.class, () -> new DayFiles(restored, ZoneOffset.UTC).open(fresh));
        assertTrue(refused.getMessage().startsWith(day + " has lines, but"), refused.getMessage());
      }
    }
    assertEquals("a line\n", Files.readString(day));
    Files.delete(day);
    try (AccountBook fresh = new AccountBook(state, CODEC)) {
      new DayFiles(restored, ZoneOffset.UTC).open(fresh);
    }
    // An administrator brings a former day back.
    Files.writeString(day, "a line\n");
    try (AccountBook known = new AccountBook(state, CODEC)) {
      DayFiles days = new DayFiles(restored, ZoneOffset.UTC);
      days.open(known);
      days.add(BEGIN - 86_400_000, "a late line");
      days.write(known);
      // The process dies, and nothing but the length before the line was kept.
    }
    try (AccountBook known = new AccountBook(state, CODEC)) {
      new DayFiles(restored, ZoneOffset.UTC).open(known);
    }
    assertEquals("a line\n", Files.readString(day));
    open();
  }

  @Test
  void aFolderHasOneWriter() {
    IOException refused =
        assertThrows(
            IOException.class, () -> new AccountBook(folder.resolve(".state"), CODEC).close());
    assertTrue(refused.getMessage().contains("lock"), refused.getMessage());
  }
}
