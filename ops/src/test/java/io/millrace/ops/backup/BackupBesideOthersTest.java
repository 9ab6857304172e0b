package io.millrace.ops.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another restore, other users of the machine, and jobs, all at the same time. */
class BackupBesideOthersTest {

  private static final String OUTPUT = "spool/here/spool/1.x.1.OU";

  @TempDir Path folder;
  private Path home;
  private Path file;

  @BeforeEach
  void aHome() throws IOException {
    home = folder.resolve("home");
    file = folder.resolve("kept");
    SmallHome.make(home);
  }

  private static Console console() {
    return new Console(new PrintStream(OutputStream.nullOutputStream()), false);
  }

  private void backup() throws IOException, InterruptedException, UsageException {
    Backup.run(List.of("--home", home.toString(), file.toString()), console());
  }

  private Path restore(String name) throws IOException, UsageException {
    Path to = folder.resolve(name);
    Restore.run(List.of("--home", to.toString(), file.toString()), console());
    return to;
  }

  /** The folder and the unpacked files belong to the restore that came first. */
  @Test
  void aSecondRestoreLeavesTheFirstAlone() throws Exception {
    backup();
    Path again = folder.resolve("again");
    Path unpacked = Restore.unpacked(again);
    Path first = Files.createDirectory(unpacked.resolve("tree")).resolve("of-the-first");
    Files.writeString(first, "half");
    Path lock = unpacked.resolve("lock");
    Process other = holds(lock);
    try {
      IOException refused = assertThrows(IOException.class, () -> restore("again"));
      assertEquals("another restore into " + again + " is at work", refused.getMessage());
      assertEquals("half", Files.readString(first));
      assertTrue(Files.exists(lock));
    } finally {
      other.destroyForcibly().waitFor();
    }
    restore("again");
    assertFalse(Files.exists(unpacked));
  }

  /** A process loses its locks on a file when it closes any of its channels to it. */
  @Test
  void theLockIsHeldWhileItIsHeld() throws Exception {
    Path lock = Restore.unpacked(folder.resolve("again")).resolve("lock");
    try (FileChannel held = Restore.own(lock)) {
      assertTrue(held.isOpen());
      Process other = asks(lock);
      assertEquals("refused", other.inputReader().readLine());
      other.destroyForcibly().waitFor();
    }
  }

  /** Another process that holds a lock on a file until it is killed. */
  private static Process holds(Path lock) throws IOException {
    Process other = asks(lock);
    assertEquals("held", other.inputReader().readLine());
    return other;
  }

  private static Process asks(Path lock) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            lock.toString())
        .redirectErrorStream(true)
        .start();
  }

  static final class Holder {
    public static void main(String[] args) throws Exception {
      try (FileChannel file = LockFile.open(Path.of(args[0]))) {
        System.out.println(file.tryLock() == null ? "refused" : "held");
        System.in.read();
      }
    }
  }

  /** Anybody who can read the lock file could hold the lock against its owner. */
  @Test
  void aLockIsItsOwnersAlone() throws Exception {
    SmallHome.put(home, "run/backup.lock", "open to all");
    SmallHome.put(home, "run/launcher.lock", "open to all");
    backup();
    assertEquals("rw-------", rights(home.resolve("run/backup.lock")));
    assertEquals("rw-------", rights(home.resolve("run/launcher.lock")));
  }

  @Test
  void whatAJobEmptiesMeanwhileIsFilledAndSaid() throws Exception {
    SmallHome.put(home, OUTPUT, "printed so far");
    SmallHome.put(home, "spool/here/spool/2.x.1.OU", "all of it");
    Path fresh = folder.resolve("fresh");
    try (HomeSnapshot snapshot = HomeSnapshot.of(home, () -> {})) {
      Files.writeString(home.resolve(OUTPUT), "pri");
      assertEquals(List.of(OUTPUT), ArchiveWriter.write(fresh, about(), snapshot.kept()));
    }
    Files.move(fresh, file);
    Path again = restore("again");
    assertEquals("pri" + "\0".repeat(11), Files.readString(again.resolve(OUTPUT)));
    assertEquals("all of it", Files.readString(again.resolve("spool/here/spool/2.x.1.OU")));
    assertTrue(
        Backup.filled(List.of("a", "b")).startsWith("2 outputs were emptied"), "it is said too");
  }

  @Test
  void aTopicThatGetsShorterIsAnError() throws Exception {
    try (HomeSnapshot snapshot = HomeSnapshot.of(home, () -> {})) {
      Files.writeString(home.resolve(SmallHome.SEGMENT + ".log"), "");
      List<ArchivedFile> kept = snapshot.kept();
      Path fresh = folder.resolve("fresh");
      assertThrows(EOFException.class, () -> ArchiveWriter.write(fresh, about(), kept));
    }
  }

  private String about() throws IOException {
    return "form=" + Archive.FORM + "\nwritten=now\n" + ArchivedFile.FileRights.of(home).lines();
  }

  private static String rights(Path of) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
  }
}
