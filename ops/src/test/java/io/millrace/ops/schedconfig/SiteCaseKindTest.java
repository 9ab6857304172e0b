package io.millrace.ops.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.dialect.CaseKind;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** simulate --case of a session of a PBS server: what it writes, compares and refuses. */
class SiteCaseKindTest {

  @TempDir Path folder;
  @TempDir Path elsewhere;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void session() throws IOException, URISyntaxException {
    Path own = Path.of(getClass().getResource("/schedconfig/fs-rr").toURI());
    try (Stream<Path> files = Files.walk(own)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(own.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private int play(Optional<Path> out, boolean compare) throws IOException {
    Console console = new Console(new PrintStream(said, true, StandardCharsets.UTF_8), false);
    return new SiteCaseKind()
        .play(folder, new CaseKind.CaseReplayOptions(out, false, compare, 0), console);
  }

  private void replace(String file, String from, String to) throws IOException {
    Path path = folder.resolve(file);
    String text = Files.readString(path);
    assertTrue(text.contains(from), text);
    Files.writeString(path, text.replace(from, to));
  }

  @Test
  void theFolderIsKnownByItsFiles() throws IOException {
    assertTrue(new SiteCaseKind().knows(folder));
    Files.delete(folder.resolve("steps.json"));
    assertFalse(new SiteCaseKind().knows(folder));
  }

  @Test
  void whatBecameOfItIsWrittenElsewhere() throws IOException {
    Path out = elsewhere.resolve("outcome.json");
    String recorded = Files.readString(folder.resolve("outcome.json"));
    Files.delete(folder.resolve("outcome.json"));
    assertEquals(0, play(Optional.of(out), false));
    assertEquals(recorded, Files.readString(out));
    assertFalse(Files.exists(folder.resolve("outcome.json")));
  }

  @Test
  void whatDiffersIsNamed() throws IOException {
    assertEquals(0, play(Optional.empty(), true));
    replace("outcome.json", "(pbs1:ncpus=1)", "(pbs2:ncpus=1)");
    assertEquals(1, play(Optional.empty(), true));
    String line = "a1.exec_vnode: recorded \"(pbs2:ncpus=1)\", here \"(pbs1:ncpus=1)\"";
    assertTrue(said.toString(StandardCharsets.UTF_8).contains(line), said.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "steps.json | \"do\": \"cycle\" | \"do\": \"sleep\" | is 'sleep', but must be one of"
            + " cycle,",
        "steps.json | \"at\": 0.1 | \"when\": 0.1 | needs 'at', a number of seconds",
        "steps.json | \"-q\", \"qa\" | \"-z\", \"qa\" | job a1: qsub's option -z is not played",
        "about.json | 2026-11-24T | 2026-13-24T | 'now' is '2026-13-24T",
        "about.json | UTC | Mars | 'time_zone' is 'Mars', but must be a zone",
        "setup.qmgr | create node | create thing | there are no objects 'thing'",
        "setup.qmgr | Priority = 10 | Priority | 'Priority' is not ATTRIBUTE = VALUE"
      })
  void badFoldersAreRefused(String file, String from, String to, String why) throws IOException {
    replace(file, from.strip(), to.strip());
    ConfigurationRefused refused =
        assertThrows(ConfigurationRefused.class, () -> SiteCaseKind.differences(folder, 0));
    assertTrue(refused.getMessage().contains(why.strip()), refused.getMessage());
  }
}
