package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of another host that grows, is renamed, is cut short or is copied and cut short. */
class FarTailTest {

  /** Longer than what a file is known by. */
  private static final String LONG = "x".repeat(300);

  @TempDir Path folder;
  @TempDir Path keys;
  private EmbeddedSshd sshd;
  private SshRunner runner;
  private Path file;
  private FileTail tail;
  private TailPosition position;
  private boolean gap;

  @BeforeEach
  void start() throws Exception {
    sshd = new EmbeddedSshd(keys);
    runner = new SshRunner(sshd.terms());
    file = folder.resolve("accounting");
    tail = new FileTail(runner.files(), file, 0);
    position = tail.end();
  }

  @AfterEach
  void stop() throws Exception {
    runner.close();
    sshd.close();
  }

  private void append(Path to, String text) throws IOException {
    Files.writeString(to, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Another second: SFTP tells no shorter times. */
  private void age(Path old, int seconds) throws IOException {
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    while (true) {
      position = TailPosition.read(position.toString()).orElseThrow();
      TailRead read = tail.read(position);
      lines.addAll(read.lines());
      gap |= read.gap();
      position = read.position();
      if (read.atEnd()) {
        return lines;
      }
    }
  }

  @Test
  void itIsReadOnAsItGrows() throws Exception {
    assertEquals(List.of(), lines());
    append(file, "one\nhal");
    assertEquals(List.of("one"), lines());
    assertEquals(List.of(), lines());
    assertEquals(List.of(), lines());
    append(file, "f\n" + LONG + "\n");
    assertEquals(List.of("half", LONG), lines());
    append(file, "three\n");
    assertEquals(List.of("three"), lines());
    assertFalse(gap);
  }

  @Test
  void whatWasThereBeforeIsNotRead() throws Exception {
    append(file, "old\nhal");
    position = tail.end();
    append(file, "f\nnew\n");
    assertEquals(List.of("half", "new"), lines());
    assertFalse(gap);
  }

  @Test
  void aRenamedFileIsReadToItsEnd() throws Exception {
    append(file, LONG + "1\n");
    lines();
    append(file, "two\n");
    age(file, 60);
    Files.move(file, folder.resolve("accounting.0"));
    append(file, "three\n");
    assertEquals(List.of("two", "three"), lines());
    assertFalse(gap);
  }

  /** Here the number of the inode says that all is lost; the head says where it has gone. */
  @Test
  void aCopiedFileThatIsCutShortIsReadToItsEndInTheCopy() throws Exception {
    append(file, LONG + "1\n");
    lines();
    append(file, "two\n");
    age(file, 60);
    Files.copy(file, folder.resolve("accounting.0"));
    Files.writeString(file, "", StandardOpenOption.TRUNCATE_EXISTING);
    assertEquals(List.of("two"), lines());
    append(file, "three\n");
    assertEquals(List.of("three"), lines());
    assertFalse(gap);
  }

  @Test
  void aFileThatWasCutShortIsReadAnewAndTheGapIsSaid() throws Exception {
    append(file, LONG + "1\ntwo\n");
    lines();
    Files.writeString(file, "other\n", StandardOpenOption.TRUNCATE_EXISTING);
    assertEquals(List.of("other"), lines());
    assertTrue(gap);
  }

  @Test
  void aFileThatHasTheSameLengthAgainIsAnother() throws Exception {
    append(file, LONG + "1\n");
    lines();
    assertEquals(List.of(), lines());
    Files.writeString(file, LONG + "2\n", StandardOpenOption.TRUNCATE_EXISTING);
    age(file, -5);
    assertEquals(List.of(LONG + "2"), lines());
    assertTrue(gap);
  }

  @Test
  void oneThatWasRenamedTwiceSinceIsSaid() throws Exception {
    append(file, LONG + "1\n");
    lines();
    age(file, 60);
    Files.move(file, folder.resolve("accounting.1"));
    append(file, LONG + "2\n");
    age(file, 30);
    Files.move(file, folder.resolve("accounting.0"));
    append(file, "three\n");
    assertEquals(List.of("three"), lines());
    assertTrue(gap);
  }

  /** Each file of a Grid Engine begins with the same lines. */
  @Test
  void aFileOfWhichOnlyTheHeadWasThereMayBeAnotherNow() throws Exception {
    append(file, "# Version\n");
    age(file, 90);
    assertEquals(List.of("# Version"), lines());
    append(file, "one\n");
    age(file, 60);
    Files.move(file, folder.resolve("accounting.0"));
    append(file, "# Version\n");
    lines();
    assertTrue(gap, "the line of the renamed one may be lost");
    gap = false;
    append(file, "two\n");
    assertEquals(List.of("two"), lines());
    assertFalse(gap, "it is the present one from here on");
  }

  /** Without that each question would say that lines may be lost. */
  @Test
  void olderFilesWithTheSameHeadSayNothing() throws Exception {
    append(folder.resolve("accounting.0"), "# Version\n" + LONG);
    age(folder.resolve("accounting.0"), 3600);
    append(file, "# Version\n");
    position = tail.end();
    append(file, "one\n");
    assertEquals(List.of("one"), lines());
    assertFalse(gap);
  }

  @Test
  void aHostThatIsAwayHasSaidNothing() throws Exception {
    append(file, LONG + "1\n");
    lines();
    TailPosition before = position;
    sshd.stop();
    assertThrows(IOException.class, () -> tail.read(before));
    append(file, "two\n");
    sshd.start();
    assertEquals(List.of("two"), lines());
    assertFalse(gap);
  }
}
