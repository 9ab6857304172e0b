package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a test cannot try is skipped in its report: one that prints so and returns has passed. */
class SkippedTestsTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  private static final Pattern PASSED =
      Pattern.compile("println\\(\\s*\"[^;]*SKIPPED[^;]*\\);\\s*return( Stream\\.empty\\(\\))?;");

  private static boolean passes(String source) {
    return PASSED.matcher(source).find();
  }

  @Test
  void noTestThatIsNotTriedCountsAsPassed() throws IOException {
    List<String> passed = new ArrayList<>();
    List<Path> tests = SourceFiles.of(ROOT, SourceFiles.TEST);
    for (Path file : tests) {
      if (passes(Files.readString(file))) {
        passed.add(ROOT.relativize(file).toString());
      }
    }
    assertEquals(List.of(), passed);
    assertTrue(tests.size() > 100, "the tests were found");
  }

  @Test
  void oneIsFound() {
    String said = "System.out.println(\"e2e: SKIP" + "PED it: \" + why);\n      return";
    assertTrue(passes(said + ";"));
    assertTrue(passes(said + " Stream.empty();"));
    assertEquals(false, passes(said + " 1;"));
  }
}
