package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for newcomers names files that exist. */
final class WayOfAQsubTest {
  private static final Pattern STEP = Pattern.compile("(?m)^(\\d+)\\. .*:\n   `([^`]+)`$");

  @Test
  void namesFilesThatExistInOrder() throws IOException {
    Path root = Path.of(System.getProperty("millrace.root"));
    List<MatchResult> steps =
        STEP.matcher(Files.readString(root.resolve("CONTRIBUTING.md"))).results().toList();
    assertTrue(steps.size() >= 8, "found " + steps.size() + " steps");
    for (int i = 0; i < steps.size(); i++) {
      assertEquals(i + 1, Integer.parseInt(steps.get(i).group(1)));
      String file = steps.get(i).group(2);
      assertTrue(Files.isRegularFile(root.resolve(file)), file + " does not exist");
    }
  }
}
