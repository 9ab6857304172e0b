package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PBS's error numbers stand in one file, {@code PbsError}; all others name the error. */
final class ErrorNumbersTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Pattern NUMBER = Pattern.compile("\\b15[0-2][0-9]{2}\\b");

  /** Names of the files of products that have such a number, in alphabetical order. */
  private static List<String> withNumbers(Path root) throws IOException {
    try (Stream<Path> files =
        Files.find(root, 20, (path, attributes) -> isSource(root.relativize(path).toString()))) {
      List<String> found = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        if (NUMBER.matcher(Files.readString(file)).find()) {
          found.add(file.getFileName().toString());
        }
      }
      return found;
    }
  }

  private static boolean isSource(String path) {
    return path.endsWith(".java") && path.contains("src/main/java/");
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
