package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HTTP is served by one library, in tests too: what a client is tried with is what it will meet.
 * Read from the source files; the name of the JDK's own server is put together, so that a search
 * for it finds nothing here.
 */
@Tag("rules") // the gate runs it before all others
final class HttpLibraryTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final String OTHER = String.join(".", "com", "sun", "net", "httpserver");

  private static List<Path> withAnother(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : SourceFiles.of(root, "")) {
      if (Files.readString(file).contains(OTHER)) {
        found.add(file);
      }
    }
    return found;
  }

  @Test
  void thereIsNoOther() throws IOException {
    assertEquals(List.of(), withAnother(ROOT));
  }

  @Test
  void anotherIsFound(@TempDir Path planted) throws IOException {
    Path tests = Files.createDirectories(planted.resolve("one/src/test/java/a"));
    Path file = tests.resolve("DoorTest.java");
    Files.writeString(file, "import " + OTHER + ".HttpServer;\n\nfinal class DoorTest {}\n");
    assertEquals(List.of(file), withAnother(planted));
  }
}
