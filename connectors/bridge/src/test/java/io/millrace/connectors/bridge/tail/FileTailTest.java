package io.millrace.connectors.bridge.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTailTest {

  @TempDir Path folder;
  private Path file;
  private FileTail tail;
  private TailPosition position;
  private boolean gap;

  @BeforeEach
  void tail() throws IOException {
    file = folder.resolve("accounting");
    tail = new FileTail(OutsideFiles.here(), file, 0);
    position = tail.end();
  }

  private void append(Path to, String text) throws IOException {
    Files.writeString(to, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** All lines to the present end; the position goes through its text as it does in a journal. */
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
  void aFileThatIsNotThereYetIsReadFromItsBegin() throws IOException {
    assertEquals(List.of(), lines());
    append(file, "one\n");
    assertEquals(List.of("one"), lines());
    assertFalse(gap);
  }

  @Test
  void whatWasThereBeforeIsNotRead() throws IOException {
    append(file, "old\nhal");
    position = tail.end();
    append(file, "f\nnew\n");
    assertEquals(List.of("half", "new"), lines());
  }

  @Test
  void halfALineWaitsForItsEnd() throws IOException {
    append(file, "one\ntw");
    assertEquals(List.of("one"), lines());
    assertEquals(List.of(), lines());
    append(file, "o\n");
    assertEquals(List.of("two"), lines());
  }

  @Test
  void aRenamedFileIsReadToItsEnd() throws IOException {
    append(file, "one\n");
    assertEquals(List.of("one"), lines());
    append(file, "two\n");
    Files.move(file, folder.resolve("accounting.0"));
    append(file, "three\n");
    assertEquals(List.of("two", "three"), lines());
    assertFalse(gap);
  }

  @Test
  void aRenamedFileWithoutASuccessorIsReadOn() throws IOException {
    append(file, "one\n");
    lines();
    append(file, "two\n");
    Files.move(file, folder.resolve("accounting.0"));
    assertEquals(List.of("two"), lines());
    append(file, "three\n");
    assertEquals(List.of("three"), lines());
  }

  /** A writer goes on with the renamed file until it is told to open the new one. */
  @Test
  void aRenamedFileWithAnEmptySuccessorIsReadOn() throws IOException {
    append(file, "one\n");
    lines();
    Path old = folder.resolve("accounting.1");
    Files.move(file, old);
    append(file, "");
    append(old, "two\nhal");
    assertEquals(List.of("two"), lines());
    append(old, "f\n");
    append(file, "three\n");
    assertEquals(List.of("half", "three"), lines());
    assertFalse(gap);
  }

  @Test
  void aFileThatWasCutShortIsReadAnewAndTheGapIsSaid() throws IOException {
    append(file, "one\ntwo\n");
    lines();
    Files.writeString(file, "x\n");
    assertEquals(List.of("x"), lines());
    assertTrue(gap);
  }

  @Test
  void aFileThatWasCutShortAndHasGrownBeyondIsNoticed() throws IOException {
    append(file, "one\ntwo\n");
    lines();
    Files.writeString(file, "");
    append(file, "three is longer\nfour\n");
    assertEquals(List.of("three is longer", "four"), lines());
    assertTrue(gap);
  }

  @Test
  void aFileThatIsGoneIsAGap() throws IOException {
    append(file, "one\n");
    lines();
    Files.move(file, folder.resolve("elsewhere"));
    append(file, "two\n");
    assertEquals(List.of("two"), lines());
    assertTrue(gap);
  }

  @Test
  void anOverlongLineIsLeftOutWhole() throws IOException {
    append(file, "one\n" + "x".repeat(5 * FileTail.LINE_MOST));
    assertEquals(List.of("one"), lines());
    append(file, "rest of it\ntwo\n");
    assertEquals(List.of("two"), lines());
  }

  @Test
  void aFileThatCameAndWentUnseenIsAGap() throws IOException {
    append(file, "one\n");
    lines();
    Files.move(file, folder.resolve("accounting.1"));
    append(file, "two\n");
    Files.move(file, folder.resolve("accounting.0"));
    append(file, "three\n");
    assertEquals(List.of("three"), lines());
    assertTrue(gap);
  }

  /** Any pieces, any places where the reader looks: each line once, in order. */
  @Test
  void eachLineComesOnce() throws IOException {
    Random random = new Random(Seeds.TODAY);
    List<String> written = new ArrayList<>();
    List<String> read = new ArrayList<>();
    StringBuilder pending = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      String line = i + " " + "é".repeat(random.nextInt(40));
      written.add(line);
      pending.append(line).append('\n');
      if (random.nextInt(3) == 0) {
        int cut = random.nextInt(pending.length() + 1);
        append(file, pending.substring(0, cut));
        pending.delete(0, cut);
      }
      if (random.nextInt(50) == 0) {
        read.addAll(lines());
        append(file, pending.toString());
        pending.setLength(0);
        read.addAll(lines());
        Files.move(file, folder.resolve("accounting." + i));
      } else if (random.nextInt(5) == 0) {
        read.addAll(lines());
      }
    }
    append(file, pending.toString());
    read.addAll(lines());
    assertTrue(written.equals(read), () -> "seed " + Seeds.TODAY);
    assertFalse(gap);
  }
}
