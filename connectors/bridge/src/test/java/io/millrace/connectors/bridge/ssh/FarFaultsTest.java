package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.common.io.nio2.Nio2Session;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;
import org.apache.sshd.sftp.server.SftpSubsystemProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that says of a file only that something failed, or nothing, has not said it is absent. */
class FarFaultsTest {

  private static final String SELF = System.getProperty("user.name");
  private static final Duration LIMIT = Duration.ofSeconds(1);

  @TempDir Path spool;
  @TempDir Path keys;
  private final OutsideTag tag = new OutsideTag("c1", "1", 1);
  private EmbeddedSshd sshd;
  private SshRunner runner;
  private SharedRunFolders folders;
  private Path folder;

  /** What the sftp-server does with a file of this name. */
  private interface FileFault {
    Path of(Path file) throws IOException;
  }

  private void fault(String name, FileFault fault) {
    sshd.files(
        new SftpFileSystemAccessor() {
          @Override
          public Path resolveLocalFilePath(SftpSubsystemProxy by, Path root, String remote)
              throws IOException {
            Path file = SftpFileSystemAccessor.super.resolveLocalFilePath(by, root, remote);
            return remote.endsWith(name) ? fault.of(file) : file;
          }
        });
  }

  @BeforeEach
  void start() throws Exception {
    sshd = new EmbeddedSshd(keys);
    runner = new SshRunner(sshd.terms(LIMIT));
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    folders = new SharedRunFolders(spool.toString(), runner, commands);
    folder = Files.createDirectories(spool.resolve(SELF).resolve(tag.toString()));
    Files.writeString(folder.resolve("claim"), "id=12\nhost=n1\nbegan=3\n");
    Files.writeString(folder.resolve("exit"), "status=7\nended=4\n");
  }

  @AfterEach
  void stop() throws Exception {
    runner.close();
    sshd.close();
  }

  private FileUnread unread() {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> folders.exit(tag, SELF));
    return assertInstanceOf(FileUnread.class, e.getCause(), e::toString);
  }

  /** As of ESTALE or EIO. */
  @Test
  void aFailureIsNoAbsence() {
    fault(
        "/exit",
        file -> {
          throw new IOException("Stale file handle");
        });
    FileUnread unread = unread();
    assertEquals(UnreadCause.FAULT, unread.why());
    assertTrue(unread.getMessage().contains("/exit cannot be read there: "), unread::getMessage);
    assertTrue(folders.begunAs(tag, SELF).isPresent(), "others are read");
    fault("/exit", file -> file);
  }

  @Test
  void whatWeMayNotReadIsAsItIsHere() {
    fault(
        "/exit",
        file -> {
          throw new AccessDeniedException(file.toString());
        });
    assertEquals(Optional.empty(), folders.exit(tag, SELF));
  }

  /** Its account can put anything in the place of the folder: that is no file of the run. */
  @Test
  void aLoopInThePlaceOfAFolderIsNoFile() throws Exception {
    Files.delete(folder.resolve("claim"));
    Files.delete(folder.resolve("exit"));
    Files.delete(folder);
    Files.createSymbolicLink(folder, folder);
    assertEquals(Optional.empty(), folders.exit(tag, SELF));
    Files.delete(folder);
    Files.createFile(folder);
    assertEquals(Optional.empty(), folders.exit(tag, SELF));
    assertInstanceOf(Told.Nothing.class, folders.close(tag, SELF));
  }

  /** One time limit, and not one for each run. */
  @Test
  void whatHangsIsLeftAloneForAWhile() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    fault(
        "/exit",
        file -> {
          looks.incrementAndGet();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return file;
        });
    try {
      assertEquals(UnreadCause.SLOW, unread().why());
      for (int i = 0; i < 100; i++) {
        assertEquals(UnreadCause.SKIPPED, unread().why());
      }
      assertInstanceOf(Told.Nothing.class, folders.close(tag, SELF));
      assertFalse(folders.isTaken(tag, SELF));
      assertEquals(1, looks.get());
    } finally {
      end.countDown();
    }
  }

  /** An sshd without the subsystem, or with a broken one, is asked for it in pauses. */
  @Test
  void withoutFilesItIsTriedInPauses() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    SftpSubsystemFactory broken =
        new SftpSubsystemFactory() {
          @Override
          public Command createSubsystem(ChannelSession channel) throws IOException {
            begun.incrementAndGet();
            throw new IOException("no sftp-server");
          }
        };
    sshd.subsystems(broken);
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      FilesUnreached e =
          assertThrows(FilesUnreached.class, () -> runner.files().facts(spool.resolve("x")));
      said.add(e.getMessage());
    }
    assertEquals(1, begun.get());
    assertTrue(said.get(0).contains("see 'Subsystem sftp'"), said::toString);
    assertEquals(1, said.stream().distinct().count(), said::toString);
  }

  @Test
  void questionsDoNotWaitForOneAnother() throws Exception {
    try (SshConnection connection = new SshConnection(sshd.terms())) {
      Nio2Session session = (Nio2Session) connection.session().getIoSession();
      assertTrue(session.getSocket().getOption(StandardSocketOptions.TCP_NODELAY));
    }
  }

  /** That of another host, whose accounts are in a directory. */
  private void nsswitch(String text) throws IOException {
    Path file = Files.writeString(keys.resolve("nsswitch"), text);
    fault("/etc/nsswitch.conf", it -> file);
  }

  /** A directory that is down has no account, and getent says the same as where there is none. */
  @Test
  void aDirectoryThatMayBeDownHasNotSaidThatAnAccountIsGone() throws Exception {
    nsswitch("group: files\npasswd: files [NOTFOUND=continue] sss # the site's\n");
    assertFalse(folders.isAccountGone("mr-nobody"));
    nsswitch("passwd:\tfiles systemd\n");
    runner.close();
    runner = new SshRunner(sshd.terms());
    assertTrue(runner.files().lacksAccount("mr-nobody"));
  }

  /** Whose a file is, is not known then, and it is not for that another's. */
  @Test
  void aFileOfANumberMayBeTheAccounts() throws Exception {
    Path shell = keys.resolve("shell");
    Files.writeString(
        shell, "#!/bin/sh\ncase \"$2\" in *getent*) exit 2 ;; esac\nexec /bin/sh -c \"$2\"\n");
    assertTrue(shell.toFile().setExecutable(true));
    sshd.shell(shell.toString(), "-c");
    nsswitch("passwd: files ldap\n");
    FileUnread unread = unread();
    assertTrue(unread.getMessage().contains("the directory has no name now"), unread::getMessage);
  }
}
