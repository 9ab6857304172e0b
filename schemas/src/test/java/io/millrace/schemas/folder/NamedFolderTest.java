package io.millrace.schemas.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever names a folder may be no friend of the account that writes to it. */
class NamedFolderTest {

  @TempDir private Path temporary;
  private Path home;

  @BeforeEach
  void home() throws IOException {
    home = temporary.toRealPath();
    mode(home, "rwxr-xr-x");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private Path folder(String name, String mode) throws IOException {
    Path folder = Files.createDirectories(home.resolve(name));
    mode(folder, mode);
    return folder;
  }

  private static void refused(String part, Optional<String> why) {
    assertTrue(why.isPresent() && why.get().contains(part), part + ": " + why);
  }

  @Test
  void aFolderOfOursIsUsed() throws IOException {
    Path folder = folder("logs", "rwxr-xr-x");
    assertEquals(Optional.empty(), NamedFolder.refuseLog(folder.toString()));
    Files.writeString(folder.resolve("20261120"), "a line\n");
    Files.writeString(folder.resolve("20261119.gz"), "");
    assertEquals(Optional.empty(), NamedFolder.refuseLog(folder.toString()));
    mode(folder, "rwxr-x---");
    assertEquals(Optional.empty(), NamedFolder.refusePriv(folder.toString()));
  }

  @Test
  void pathsThatAreNone() throws IOException {
    refused("absolute", NamedFolder.refuseLog("relative"));
    refused("absolute", NamedFolder.refuseLog(""));
    folder("a", "rwxr-xr-x");
    refused("absolute", NamedFolder.refuseLog(home + "/a/../a"));
    refused("not there", NamedFolder.refuseLog(home + "/absent"));
    refused("not there", NamedFolder.refuseLog(home + "/absent/below"));
    Path file = Files.writeString(home.resolve("file"), "");
    refused("no folder", NamedFolder.refuseLog(file.toString()));
    refused("no path", NamedFolder.refuseLog("/a\0b"));
  }

  @Test
  void aFileIsNamedInAFolderOfOurs() throws IOException {
    Path file = folder("logs", "rwxr-xr-x").resolve("lines");
    assertEquals(Optional.empty(), NamedFolder.refuseFile(file.toString()), "not there yet");
    Files.writeString(file, "");
    assertEquals(Optional.empty(), NamedFolder.refuseFile(file.toString()));
    refused("absolute", NamedFolder.refuseFile("lines"));
    refused("absolute", NamedFolder.refuseFile("/"));
    refused("absolute", NamedFolder.refuseFile(home + "/logs/../logs/lines"));
    refused("no path", NamedFolder.refuseFile("/a\0b"));
    refused("no file", NamedFolder.refuseFile(home + "/logs"));
    Path link = Files.createSymbolicLink(home.resolve("logs/link"), file);
    refused("link", NamedFolder.refuseFile(link.toString()));
    refused("not there", NamedFolder.refuseFile(home + "/absent/lines"));
    refused("open", NamedFolder.refuseFile(folder("g", "rwxrwxr-x") + "/lines"));
  }

  /** With it, somebody else could lead lines to any file of ours. */
  @Test
  void othersMayNotWriteThere() throws IOException {
    refused("open", NamedFolder.refuseLog(folder("g", "rwxrwxr-x").toString()));
    refused("open", NamedFolder.refuseLog(folder("o", "rwxr-xrwx").toString()));
    refused("open", NamedFolder.refusePriv(folder("r", "rwxr-xr-x").toString()));
    folder("shared", "rwxrwxrwx");
    Path below = folder("shared/logs", "rwxr-xr-x");
    refused("another account may change", NamedFolder.refuseLog(below.toString()));
    mode(home.resolve("shared"), "rwxr-xr-x");
    assertEquals(Optional.empty(), NamedFolder.refuseLog(below.toString()));
  }

  @Test
  void symbolicLinksAreNoFolders() throws IOException {
    Path target = folder("target", "rwxr-xr-x");
    Path link = Files.createSymbolicLink(home.resolve("link"), target);
    refused("symbolic link", NamedFolder.refuseLog(link.toString()));
    folder("target/below", "rwxr-xr-x");
    refused("no folder", NamedFolder.refuseLog(link.resolve("below").toString()));
    Path logs = folder("logs", "rwxr-xr-x");
    Files.createSymbolicLink(logs.resolve("20261120"), home.resolve("victim"));
    refused("20261120", NamedFolder.refuseLog(logs.toString()));
  }

  /** In /etc/cron.d a file has consequences, and a day's log would be one. */
  @Test
  void whereOtherThingsLieNoLogsAreWritten() throws IOException {
    Path folder = folder("etc", "rwxr-xr-x");
    Files.writeString(folder.resolve("crontab"), "");
    refused("crontab", NamedFolder.refuseLog(folder.toString()));
  }

  @Test
  void thatOfAnotherAccountIsNotOurs() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can give folders away");
    Path folder = folder("theirs", "rwxr-x---");
    Files.setAttribute(folder, "unix:uid", 65534);
    refused("another account", NamedFolder.refuseLog(folder.toString()));
    refused("another account", NamedFolder.refusePriv(folder.toString()));
    Path below = folder("theirs/logs", "rwxr-xr-x");
    refused("another account", NamedFolder.refuseLog(below.toString()));
  }
}
