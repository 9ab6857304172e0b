package io.millrace.connectors.bridge.far;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.run.RunFolders.RunClaim;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims and exit files of runs on another host, whatever the way there. */
public abstract class FarFoldersContract {

  private static final String SELF = System.getProperty("user.name");

  @TempDir Path spool;
  private final OutsideTag tag = new OutsideTag("c1", "1", 1);
  private CommandRunner runner;
  private SharedRunFolders folders;
  private Path folder;

  /** What starts commands there. */
  protected abstract CommandRunner open() throws Exception;

  /** The other host is away. */
  protected abstract void away() throws Exception;

  protected abstract void back() throws Exception;

  /** Gives up what was opened for it. */
  protected abstract void end() throws Exception;

  @BeforeEach
  void start() throws Exception {
    runner = open();
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    folders = new SharedRunFolders(spool.toString(), runner, commands);
    folder = Files.createDirectories(spool.resolve(SELF)).resolve(tag.toString());
  }

  @AfterEach
  void stop() throws Exception {
    if (runner != null) { // a test that is skipped has none
      runner.close();
    }
    end();
  }

  @Test
  void aClaimIsTakenOnce() throws Exception {
    assertFalse(folders.isTaken(tag, SELF));
    assertEquals(Told.of(RunClaim.CLOSED), folders.close(tag, SELF));
    assertTrue(Files.isDirectory(folder));
    assertEquals(Told.of(RunClaim.RUN), folders.close(tag, SELF));
    assertTrue(folders.isTaken(tag, SELF));
  }

  @Test
  void whatTheWrapperSaysIsRead() throws Exception {
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("claim"), "id=12\nhost=n1\nbegan=3\n");
    assertEquals("12", folders.begunAs(tag, SELF).orElseThrow().toString());
    assertEquals(Optional.empty(), folders.exit(tag, SELF));
    Files.writeString(folder.resolve("exit"), "status=7\nended=4\n");
    OutsideEnd end = folders.exit(tag, SELF).orElseThrow();
    assertEquals(OutsideCause.EXITED, end.cause());
    assertEquals(7, end.status());
  }

  @Test
  void aLinkIsNoFileOfARun() throws Exception {
    Files.createDirectory(folder);
    Path other = Files.writeString(spool.resolve("other"), "status=7\nended=4\n");
    Files.createSymbolicLink(folder.resolve("exit"), other);
    assertEquals(Optional.empty(), folders.exit(tag, SELF));
    assertEquals("", folders.text(tag, "nobody", "exit"));
  }

  @Test
  void aHostThatIsAwayIsNoEndAndNoClaim() throws Exception {
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("exit"), "status=7\nended=4\n");
    assertTrue(folders.exit(tag, SELF).isPresent());
    away();
    assertThrows(UncheckedIOException.class, () -> folders.exit(tag, SELF));
    assertThrows(UncheckedIOException.class, () -> folders.begunAs(tag, SELF));
    assertFalse(folders.isTaken(tag, SELF));
    assertInstanceOf(Told.Nothing.class, folders.close(tag, SELF));
    assertFalse(folders.isAccountGone("mr-nobody"), "nobody can say");
    back();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> folders.exit(tag, SELF).isPresent());
    assertEquals(OutsideFiles.here().hasAllAccounts(), folders.isAccountGone("mr-nobody"));
    assertFalse(folders.isAccountGone(SELF));
  }

  @Test
  void filesAreAsTheyAreThere() throws Exception {
    Path file = Files.writeString(spool.resolve("file"), "text");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));
    FileFacts facts = runner.files().facts(file).orElseThrow();
    assertTrue(facts.isRegular());
    assertEquals(SELF, facts.owner());
    assertEquals(0651, facts.rights());
    assertEquals(4, facts.size());
    assertEquals(Optional.empty(), runner.files().facts(spool.resolve("none")));
    assertTrue(runner.files().facts(spool).orElseThrow().isFolder());
    assertEquals(2, runner.files().list(spool).size());
    assertTrue(runner.files().isReadable(file));
    assertFalse(runner.files().isExecutable(spool.resolve("none")));
  }
}
