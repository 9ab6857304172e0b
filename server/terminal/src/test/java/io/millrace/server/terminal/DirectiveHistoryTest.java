package io.millrace.server.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectiveHistoryTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path home;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private Path file() {
    return home.resolve(DirectiveHistory.FILE);
  }

  private DirectiveHistory session() throws Exception {
    return DirectiveHistory.at(file(), said);
  }

  private String mode() throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file()));
  }

  @Test
  void theNextSessionHasIt() throws Exception {
    DirectiveHistory first = session();
    first.keep("list server");
    first.keep("print server");
    first.keep("print server");
    assertEquals("1\tlist server\n2\tprint server\n", first.text(10));
    DirectiveHistory second = session();
    assertEquals("1\tlist server\n2\tprint server\n", second.text(10));
    assertEquals("2\tprint server\n", second.text(1));
    assertEquals("list server", second.numbered(1));
    assertNull(second.numbered(0));
    assertNull(second.numbered(3));
    assertEquals("", said.toString());
  }

  @Test
  void nobodyElseReadsIt() throws Exception {
    session().keep("list server");
    assertEquals("rw-------", mode());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    session();
    assertEquals("rw-------", mode());
    try (var files = Files.list(home)) {
      assertEquals(1, files.count(), "nothing else stays");
    }
  }

  @Test
  void itIsBounded() throws Exception {
    List<String> many = new ArrayList<>();
    for (int i = 1; i <= 700; i++) {
      many.add("list queue q" + i);
    }
    Files.writeString(file(), HistoryForm.write(many));
    DirectiveHistory history = session();
    assertEquals(DirectiveHistory.MAX, history.size());
    List<String> kept = HistoryForm.read(Files.readString(file()));
    assertEquals(DirectiveHistory.MAX, kept.size());
    assertEquals("list queue q700", kept.get(kept.size() - 1));
  }

  @Test
  void twoSessionsAddToOneFile() throws Exception {
    DirectiveHistory one = session();
    DirectiveHistory other = session();
    one.keep("a");
    other.keep("b");
    one.keep("c");
    assertEquals("1\ta\n2\tb\n3\tc\n", session().text(10));
  }

  @Test
  void aLinkStaysOne() throws Exception {
    Path target = Files.writeString(home.resolve("elsewhere"), "list server\n");
    Files.createSymbolicLink(file(), target);
    session().keep("print server");
    assertTrue(Files.isSymbolicLink(file()));
    assertEquals(
        List.of("list server", "print server"), HistoryForm.read(Files.readString(target)));
  }

  @Test
  void whatALinkLeadsToKeepsItsRights() throws Exception {
    Path target = Files.writeString(home.resolve("elsewhere"), "list server\n");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(file(), target);
    session();
    assertEquals("rw-r-----", mode());
  }

  @Test
  void aLinkToNothingYetIsFollowed() throws Exception {
    Files.createSymbolicLink(file(), home.resolve("elsewhere"));
    session().keep("list server");
    assertTrue(Files.isSymbolicLink(file()));
    assertEquals("1\tlist server\n", session().text(10));
    assertEquals("rw-------", mode());
  }

  /** Neither waited for, nor changed, nor replaced; root could do all of that to a device. */
  @Test
  void whatIsNoFileIsLeftAlone() throws Exception {
    Path pipe = home.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", "-m", "640", pipe.toString()).start().waitFor());
    for (Path target : List.of(pipe, Files.createDirectory(home.resolve("folder")))) {
      Files.createSymbolicLink(file(), target);
      String was = Files.readAttributes(target, PosixFileAttributes.class).permissions().toString();
      Object key = Files.readAttributes(target, PosixFileAttributes.class).fileKey();
      DirectiveHistory history = assertTimeoutPreemptively(SOON, this::session);
      assertTimeoutPreemptively(SOON, () -> history.keep("list server"));
      assertEquals("1\tlist server\n", history.text(10));
      PosixFileAttributes now = Files.readAttributes(target, PosixFileAttributes.class);
      assertEquals(was, now.permissions().toString());
      assertEquals(key, now.fileKey(), "it is still the same");
      assertTrue(Files.isSymbolicLink(file()));
      Files.delete(file());
    }
    String told = "Cannot read/write history file " + file() + ", history across sessions disabled";
    assertEquals((told + "\n").repeat(2), said.toString());
  }

  @Test
  void aFileThatBecomesAPipeIsLeftAlone() throws Exception {
    DirectiveHistory history = session();
    Files.delete(file());
    assertEquals(0, new ProcessBuilder("mkfifo", file().toString()).start().waitFor());
    assertTimeoutPreemptively(SOON, () -> history.keep("list server"));
    assertEquals("1\tlist server\n", history.text(10));
    assertTrue(said.toString().startsWith("Cannot read/write history file "), said.toString());
  }

  @Test
  void whatIsAddedWhileItIsCutDownStays() throws Exception {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      all.add("list queue q" + i);
    }
    DirectiveHistory adds = session();
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Void> cuts =
        new FutureTask<>(
            () -> {
              while (!done.get()) {
                session();
              }
              return null;
            });
    new Thread(cuts, "cuts").start();
    for (String directive : all) {
      adds.keep(directive);
    }
    done.set(true);
    cuts.get();
    session();
    assertEquals(
        all.subList(all.size() - DirectiveHistory.MAX, all.size()),
        HistoryForm.read(Files.readString(file())));
    assertEquals("", said.toString());
  }

  @Test
  void withoutAFileItLastsForTheSession() throws Exception {
    Path nowhere = home.resolve("none").resolve("file");
    DirectiveHistory history = DirectiveHistory.at(nowhere, said);
    history.keep("list server");
    assertEquals("1\tlist server\n", history.text(10));
    assertEquals(
        "Cannot read/write history file " + nowhere + ", history across sessions disabled\n",
        said.toString());
  }
}
