package io.millrace.connectors.bridge.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a container whose sftp-server is not there, ends, or says nothing. */
class ContainerFilesTest {

  @TempDir Path folder;
  private PlayedEngine engine;
  private ContainerRunner runner;

  @BeforeEach
  void start() throws Exception {
    engine = new PlayedEngine(folder);
  }

  @AfterEach
  void stop() throws Exception {
    if (runner != null) { // a test that is skipped has none
      runner.close();
    }
    engine.killAll();
  }

  private OutsideFiles files(String server, Duration limit) {
    ContainerTerms terms = engine.terms(false);
    runner =
        new ContainerRunner(
            new ContainerTerms(
                terms.engine(), terms.container(), terms.account(), server, terms.atOnce(), limit),
            new ProcessRunner(),
            new ContainerMark(Optional.empty()));
    return runner.files();
  }

  private Path program(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + text);
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  /** It is asked for in pauses, and nothing is known of any file meanwhile. */
  @Test
  void withoutAServerItIsSaidHowToGetOne() throws Exception {
    OutsideFiles files = files("/nosuch/sftp-server", Duration.ofSeconds(20));
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      said.add(assertThrows(FilesUnreached.class, () -> files.facts(folder)).getMessage());
    }
    assertEquals(1, said.stream().distinct().count(), said::toString);
    assertTrue(said.get(0).startsWith("no files of container c1 by SFTP: /usr/bin/env: "));
    assertTrue(
        said.get(0)
            .endsWith(
                ": No such file or directory; install openssh-sftp-server in it, or see"
                    + " 'container_sftp'"),
        said::toString);
    // It was looked for, proved, asked once for files, and asked behind that what was wrong.
    assertEquals(4, engine.calls());
  }

  @Test
  void whatSpeaksSomethingElseIsNoServer() throws Exception {
    Path other = program("other", "echo Welcome to this container, which has no files for you\n");
    OutsideFiles files = files(other.toString(), Duration.ofSeconds(20));
    FilesUnreached e = assertThrows(FilesUnreached.class, () -> files.facts(folder));
    assertTrue(e.getMessage().contains("; install openssh-sftp-server in it"), e::getMessage);
  }

  @Test
  void aServerThatSaysNothingIsNotWaitedForLong() throws Exception {
    Path silent = program("silent", "exec sleep 300\n");
    OutsideFiles files = files(silent.toString(), Duration.ofSeconds(1));
    long begin = System.nanoTime();
    assertThrows(FilesUnreached.class, () -> files.facts(folder));
    assertTrue(Duration.ofNanos(System.nanoTime() - begin).toSeconds() < 15);
  }

  private OutsideFiles real(Duration limit) {
    assumeTrue(
        Files.isExecutable(PlayedEngine.SFTP_SERVER),
        "SKIPPED: there is no " + PlayedEngine.SFTP_SERVER + " here: openssh-sftp-server");
    return files(PlayedEngine.SFTP_SERVER.toString(), limit);
  }

  /** One channel for all, which nobody writes through. */
  @Test
  void filesAreReadOnOneChannel() throws Exception {
    OutsideFiles files = real(Duration.ofSeconds(20));
    Path file = Files.writeString(folder.resolve("file"), "x".repeat(100_000));
    for (int i = 0; i < 20; i++) {
      try (OutsideFile open = files.open(file)) {
        assertEquals(100_000, open.size());
        byte[] rest = open.read(99_998, 10);
        assertEquals("xx", new String(rest, StandardCharsets.US_ASCII));
        assertTrue(files.is(file, open.identity()));
      }
    }
    assertTrue(files.room(folder).isPresent());
    // It was looked for, proved, and asked once for files; who owns them was asked for nowhere.
    assertEquals(3, engine.calls());
  }

  @Test
  void aContainerThatIsBegunAnewHasItsFilesAgain() throws Exception {
    OutsideFiles files = real(Duration.ofSeconds(20));
    assertTrue(files.facts(folder).isPresent());
    engine.ends();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThrows(FilesUnreached.class, () -> files.facts(folder)));
    assertThrows(FilesUnreached.class, () -> files.open(folder.resolve("file")));
    engine.beginsAnew();
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .ignoreExceptions()
        .until(() -> files.facts(folder).isPresent());
  }

  /** One file that hangs is that file's trouble. */
  @Test
  void aServerThatHangsAtAFileIsSlowThere() throws Exception {
    OutsideFiles files = real(Duration.ofSeconds(1));
    assertTrue(files.facts(folder).isPresent());
    for (String each : Files.readAllLines(folder.resolve("processes"))) {
      new ProcessBuilder("/bin/kill", "-STOP", each).start().waitFor();
    }
    FileUnread slow = assertThrows(FileUnread.class, () -> files.facts(folder.resolve("file")));
    assertEquals(UnreadCause.SLOW, slow.why());
    for (String each : Files.readAllLines(folder.resolve("processes"))) {
      new ProcessBuilder("/bin/kill", "-CONT", each).start().waitFor();
    }
    assertTrue(files.facts(folder).isPresent(), "on another channel");
  }
}
