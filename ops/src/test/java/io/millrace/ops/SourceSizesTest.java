package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceFiles;
import io.millrace.ops.structure.SourceSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No class, method or list of parameters grows beyond what is read at one look, neither in the
 * product nor in its tests.
 */
@Tag("rules") // the gate runs it before all others
final class SourceSizesTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  @TempDir Path folder;

  @Test
  void nothingIsTooLarge() throws IOException {
    List<Path> files = SourceFiles.of(ROOT, SourceFiles.MAIN);
    assertTrue(files.size() > 1_000, files.size() + " source files found");
    assertEquals(List.of(), SourceSizes.tooLarge(files));
  }

  @Test
  void noTestIsTooLarge() throws IOException {
    List<Path> files = SourceFiles.of(ROOT, SourceFiles.TEST);
    assertTrue(files.size() > 700, files.size() + " source files found");
    assertEquals(List.of(), SourceSizes.tooLarge(files));
  }

  @Test
  void aLongTestIsFound() throws IOException {
    Path tests = Files.createDirectories(folder.resolve("module/src/test/java/some"));
    Path file = Files.writeString(tests.resolve("LongTest.java"), "class LongTest {\n}\n");
    assertEquals(List.of(file), SourceFiles.of(folder, SourceFiles.TEST));
    assertEquals(List.of(), SourceSizes.tooLarge(SourceFiles.of(folder, SourceFiles.TEST)));
    String lines = "\n".repeat(SourceSizes.FILE_LINES - 1);
    Files.writeString(file, "class LongTest {\n" + lines + "}\n");
    List<String> found = SourceSizes.tooLarge(SourceFiles.of(folder, SourceFiles.TEST));
    assertEquals(List.of(file + " has 501 lines"), found);
    assertEquals(List.of(), SourceFiles.of(folder, SourceFiles.MAIN));
  }

  @Test
  void aCheckoutMayHaveTheNameOfWhatIsBuilt() throws IOException {
    Path checkout = folder.resolve("target");
    Path sources = Files.createDirectories(checkout.resolve("module/src/main/java"));
    Path file = Files.createFile(sources.resolve("Some.java"));
    Path built = Files.createDirectories(checkout.resolve("module/target/src/main/java"));
    Files.createFile(built.resolve("Built.java"));
    assertEquals(List.of(file), SourceFiles.of(checkout, SourceFiles.MAIN));
  }

  @Test
  void aLongClassAMethodAndItsParametersAreFound() throws IOException {
    String body = "  int x = 1;\n".repeat(SourceSizes.METHOD_LINES - 1);
    Path file = folder.resolve("Long.java");
    Files.writeString(
        file,
        "class Long {\n"
            + ("void fits(int a, int b, int c, int d, int e, int f) {\n}\n")
            + ("void parameters(int a, int b, int c, int d, int e, int f, int g) {\n}\n")
            + ("void lines() {\n" + body + "}\n")
            + "\n".repeat(SourceSizes.FILE_LINES)
            + "}\n");
    List<String> found = SourceSizes.tooLarge(List.of(file));
    assertEquals(3, found.size(), found::toString);
    assertTrue(found.get(0).endsWith("has 567 lines"), found.get(0));
    assertTrue(found.get(1).endsWith("parameters has 7 parameters"), found.get(1));
    assertTrue(found.get(2).endsWith("lines has 61 lines"), found.get(2));
  }
}
