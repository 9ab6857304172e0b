package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceSizes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
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
    List<Path> files = sources(ROOT, "/src/main/");
    assertTrue(files.size() > 1_000, files.size() + " source files found");
    assertEquals(List.of(), SourceSizes.tooLarge(files));
  }

  @Test
  void noTestIsTooLarge() throws IOException {
    List<Path> files = sources(ROOT, "/src/test/");
    assertTrue(files.size() > 700, files.size() + " source files found");
    assertEquals(List.of(), SourceSizes.tooLarge(files));
  }

  @Test
  void aLongTestIsFound() throws IOException {
    Path tests = Files.createDirectories(folder.resolve("module/src/test/java/some"));
    Path file = Files.writeString(tests.resolve("LongTest.java"), "class LongTest {\n}\n");
    assertEquals(List.of(file), sources(folder, "/src/test/"));
    assertEquals(List.of(), SourceSizes.tooLarge(sources(folder, "/src/test/")));
    String lines = "\n".repeat(SourceSizes.FILE_LINES - 1);
    Files.writeString(file, "class LongTest {\n" + lines + "}\n");
    List<String> found = SourceSizes.tooLarge(sources(folder, "/src/test/"));
    assertEquals(List.of(file + " has 501 lines"), found);
    assertEquals(List.of(), sources(folder, "/src/main/"));
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

  private static List<Path> sources(Path root, String below) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            String name = each.getFileName().toString();
            boolean over = name.equals("target") || name.startsWith(".git");
            return over ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
            if (each.toString().endsWith(".java") && each.toString().contains(below)) {
              found.add(each);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
