package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    int read = 0;
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(it -> it.toString().contains("/src/test/java/")).toList()) {
        if (file.toString().endsWith(".java")) {
          read++;
          if (passes(Files.readString(file))) {
            passed.add(ROOT.relativize(file).toString());
          }
        }
      }
    }
    assertEquals(List.of(), passed);
    assertTrue(read > 100, "the tests were found");
  }

  @Test
  void oneIsFound() {
    String said = "System.out.println(\"e2e: SKIP" + "PED it: \" + why);\n      return";
    assertTrue(passes(said + ";"));
    assertTrue(passes(said + " Stream.empty();"));
    assertEquals(false, passes(said + " 1;"));
  }
}
