package io.millrace.ops.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.HomeOwner;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Homes that are down: files in, the same files out, or one line. */
class BackupTest {

  private static final String SEGMENT = SmallHome.SEGMENT;
  private static final String LATER = SmallHome.LATER;

  @TempDir Path folder;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path home;
  private Path file;

  @BeforeEach
  void aHome() throws IOException {
    home = folder.resolve("home");
    file = folder.resolve("kept");
    SmallHome.make(home);
  }

  private void put(String name, String text) throws IOException {
    SmallHome.put(home, name, text);
  }

  private Console console() {
    return new Console(new PrintStream(said, true, StandardCharsets.UTF_8), false);
  }

  private void backup() throws Exception {
    Backup.run(List.of("--home", home.toString(), file.toString()), console());
  }

  private Path restore(String name) throws Exception {
    Path to = folder.resolve(name);
    Restore.run(List.of("--home", to.toString(), file.toString()), console());
    return to;
  }

  @Test
  void whatCannotBeMadeAgainIsThereAgain() throws Exception {
    backup();
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Path again = restore("again");
    for (String name :
        List.of(
            "etc/millrace.properties",
            "data/kafka/meta.properties",
            SEGMENT + ".log",
            SEGMENT + ".index",
            LATER + ".log",
            "spool/here/position",
            "spool/here/runs/1.x.1/request",
            "spool/here/spool/1.x.1.OU",
            "spool/@c1/nodes/n1/runs/2.x.1")) {
      assertEquals(-1, Files.mismatch(home.resolve(name), again.resolve(name)), name);
    }
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(again.resolve("etc/query.token"))));
    assertEquals(Path.of("/etc/site"), Files.readSymbolicLink(again.resolve("spool/here/site")));
    assertEquals("restored\n", Files.readString(again.resolve("spool/here/boot")));
  }

  @Test
  void whatIsMadeAgainStaysAway() throws Exception {
    backup();
    Path again = restore("again");
    for (String name :
        List.of(
            "run",
            "log",
            "data/server",
            "spool/here/new",
            "spool/@c1/mark",
            LATER + ".index",
            ".restore")) {
      assertFalse(Files.exists(again.resolve(name)), name);
    }
    assertFalse(Files.exists(home.resolve(HomeContents.GATHERED)));
    assertEquals(List.of("again", "home", "kept"), names(folder));
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> all = Files.list(of)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatAnInterruptedBackupLeftIsCleared() throws Exception {
    put(HomeContents.GATHERED + "/7", "of an earlier one");
    Files.writeString(folder.resolve("kept.new"), "half");
    backup();
    assertEquals(List.of("home", "kept"), names(folder));
    restore("again");
  }

  @Test
  void aHomeThatIsNotEmptyIsRefused() throws Exception {
    backup();
    IOException refused = assertThrows(IOException.class, () -> restore("home"));
    assertTrue(refused.getMessage().contains(" is not empty: "), refused.getMessage());
  }

  @Test
  void nothingIsWrittenOver() throws Exception {
    backup();
    assertThrows(UsageException.class, this::backup);
    file = home.resolve("inside");
    assertThrows(UsageException.class, this::backup);
  }

  @Test
  void eachDamagedByteIsNoticed() throws Exception {
    backup();
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at += 1 + whole.length / 200) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(file, damaged);
      refused("damaged" + at);
    }
  }

  @Test
  void aShortFileIsNoticed() throws Exception {
    backup();
    long whole = Files.size(file);
    for (long length = whole - 1; length >= 0; length -= 1 + whole / 40) {
      try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
        cut.setLength(length);
      }
      refused("short" + length);
    }
  }

  /** Expects a refusal in one line, after which the folder is not a home. */
  private void refused(String to) {
    IOException why = assertThrows(IOException.class, () -> restore(to), to);
    assertFalse(why.getMessage().contains("\n"), why.getMessage());
    assertTrue(why.getMessage().startsWith(file + " is "), why.getMessage());
    assertFalse(Files.exists(folder.resolve(to + "/etc")), to);
  }

  @Test
  void anotherFileIsNoBackup() throws Exception {
    Files.writeString(file, "#!/bin/sh\necho something else\n");
    IOException refused = assertThrows(IOException.class, () -> restore("again"));
    assertEquals(file + " is no backup of Millrace", refused.getMessage());
  }

  @Test
  void topicsOfAnotherClusterAreNotHere() throws Exception {
    put("etc/millrace.properties", "bootstrap.servers=kafka:9092\nshards=8\n");
    IOException refused = assertThrows(IOException.class, this::backup);
    assertTrue(refused.getMessage().contains("kafka:9092"), refused.getMessage());
  }

  @Test
  void bothTellWhatTheyDo() {
    for (List<String> args : List.of(List.of("--help"), List.of("-h"))) {
      assertThrows(HelpRequested.class, () -> Backup.run(args, console()));
      assertThrows(HelpRequested.class, () -> Restore.run(args, console()));
    }
  }

  @Test
  void aHomeThatIsALinkIsSavedAsAWhole() throws Exception {
    Path real = Files.move(home, folder.resolve("real"));
    Files.createSymbolicLink(home, real);
    backup();
    Path again = restore("again");
    assertEquals(
        -1, Files.mismatch(real.resolve(SEGMENT + ".log"), again.resolve(SEGMENT + ".log")));
    file = home.resolve("inside");
    assertThrows(UsageException.class, this::backup);
  }

  @Test
  void aFolderThatIsALinkIsRefusedByName() throws Exception {
    put("server_priv/accounting/20261122", "a day");
    for (String name :
        List.of(
            "data",
            "data/kafka",
            "data/kafka/ledger-0",
            "spool",
            "spool/here",
            "etc",
            "server_priv",
            "server_priv/accounting")) {
      Path place = home.resolve(name);
      Path elsewhere = Files.move(place, folder.resolve("elsewhere"));
      Files.createSymbolicLink(place, elsewhere);
      IOException refused = assertThrows(IOException.class, this::backup, name);
      assertTrue(refused.getMessage().startsWith(place + " is a symbolic link"), refused + "");
      assertFalse(Files.exists(file));
      Files.delete(place);
      Files.move(elsewhere, place);
    }
    backup();
  }

  @Test
  void aHomeWithoutTopicsIsRefused() throws Exception {
    Files.delete(home.resolve(SmallHome.METADATA));
    IOException refused = assertThrows(IOException.class, this::backup);
    assertTrue(refused.getMessage().contains("no segment of __cluster_metadata"), refused + "");
    assertFalse(Files.exists(file));
  }

  @Test
  void theBoundIsLookedAtWithinFoldersAndFiles() throws Exception {
    int[] looks = {0};
    HomeSnapshot.of(home, () -> looks[0]++).close();
    int before = looks[0];
    for (int i = 0; i < 100; i++) {
      put("spool/here/runs/1.x.1/" + i, "small");
    }
    Files.write(home.resolve("spool/here/runs/1.x.1/1.x.SC"), new byte[20 << 20]);
    looks[0] = 0;
    HomeSnapshot.of(home, () -> looks[0]++).close();
    assertTrue(looks[0] >= before + 100 + 20, looks[0] + " after " + before);

    int late = looks[0] - 10;
    looks[0] = 0;
    assertThrows(
        IOException.class,
        () ->
            HomeSnapshot.of(
                home,
                () -> {
                  if (++looks[0] == late) {
                    throw new IOException("too long");
                  }
                }));
    assertFalse(Files.exists(home.resolve(HomeContents.GATHERED)));
  }

  private static void give(Path path, int user, int group) throws IOException {
    Files.setAttribute(path, "unix:uid", user);
    Files.setAttribute(path, "unix:gid", group);
  }

  @Test
  void theHomeIsItsOwnersAgain() throws Exception {
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-x--x"));
    if (HomeOwner.isCallers(Path.of("/"))) {
      give(home, 1, 2);
    }
    ArchivedFile.FileRights before = ArchivedFile.FileRights.of(home);
    backup();
    assertEquals(before, ArchivedFile.FileRights.of(restore("again")));
  }

  @Test
  void oneThatDoesNotSayWhoseTheHomeIsIsRefused() throws Exception {
    try (HomeSnapshot snapshot = HomeSnapshot.of(home, () -> {})) {
      ArchiveWriter.write(file, "form=" + Archive.FORM + "\nwritten=once\n", snapshot.kept());
    }
    IOException refused = assertThrows(IOException.class, () -> restore("again"));
    assertTrue(refused.getMessage().startsWith("the backup does not say whose the home is"));
    assertFalse(Files.exists(folder.resolve("again/etc")));
  }

  @Test
  void nobodyElseSeesWhatIsUnpacked() throws Exception {
    Path again = folder.resolve("again");
    assertEquals("rwx------", rights(Restore.unpacked(again)));
    Files.setPosixFilePermissions(
        Restore.unpacked(again), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals("rwx------", rights(Restore.unpacked(again)), "of an interrupted one too");
  }

  private static String rights(Path of) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
  }
}
