package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PBS's error numbers stand in one file, {@code PbsError}; all others name the error. */
final class ErrorNumbersTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Pattern NUMBER = Pattern.compile("\\b15[0-2][0-9]{2}\\b");

  /** Names of the files of products that have such a number, in the order of their paths. */
  private static List<String> withNumbers(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : SourceFiles.of(root, SourceFiles.MAIN)) {
      if (NUMBER.matcher(Files.readString(file)).find()) {
        found.add(file.getFileName().toString());
      }
    }
    return found;
  }

  @Test
  void theyStandInOneFile() throws IOException {
    assertEquals(List.of("PbsError.java"), withNumbers(ROOT));
  }

  @Test
  void aSecondFileIsFound(@TempDir Path planted) throws IOException {
    Path source = planted.resolve("one/src/main/java/a/Refusal.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "final class Refusal {\n  static final int UNKNOWN = 15001;\n}\n");
    assertEquals(List.of("Refusal.java"), withNumbers(planted));
  }
}
