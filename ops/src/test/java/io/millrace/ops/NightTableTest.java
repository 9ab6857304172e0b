package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what the night adds names each class that does more at night; all named exist. */
class NightTableTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  private static final Path PAGE =
      ROOT.resolve("docs/decisions/0027-what-the-gate-runs-and-what-the-night-runs.md");

  /** The tag of a class or method, or a question whether it is night. */
  private static final Pattern AT_NIGHT =
      Pattern.compile(
          "@Tag\\(\"night\"\\)|\"millrace\\.night\"|\\b(Site|Seeds|ExecutionFixture)\\.NIGHT\\b");

  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*)`");

  /** Classes that are no tests, and why the table needs no row for them. */
  private static final Map<String, String> NO_TESTS =
      Map.of(
          "Seeds", "tells other classes whether it is night",
          "Site", "the same, and of the parts that a test names kills these only by day",
          "ExecutionFixture", "the same; what it adds is in rows of the supervisor in shell",
          "Supervisors", "gives tests the supervisor in shell at night",
          "Traces", "reads the archived traces of a row",
          "NightTableTest", "this test");

  private static boolean isForTheNight(String source) {
    return AT_NIGHT.matcher(source).find();
  }

  private static Set<String> named(String page) {
    String rows = page.lines().filter(it -> it.startsWith("| ")).collect(Collectors.joining("\n"));
    Set<String> names = new TreeSet<>();
    Matcher found = CLASS.matcher(rows);
    while (found.find()) {
      names.add(found.group(1));
    }
    return names;
  }

  /** Simple names of all test classes, or of those that do more at night. */
  private static Set<String> classes(boolean night) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : SourceFiles.of(ROOT, SourceFiles.TEST)) {
      if (!night || isForTheNight(Files.readString(file))) {
        names.add(file.getFileName().toString().replace(".java", ""));
      }
    }
    return names;
  }

  @Test
  void eachClassThatDoesMoreAtNightIsNamed() throws IOException {
    Set<String> missing = classes(true);
    assertTrue(missing.size() > 50, missing.toString());
    assertTrue(missing.containsAll(NO_TESTS.keySet()), missing.toString());
    missing.removeAll(NO_TESTS.keySet());
    missing.removeAll(named(Files.readString(PAGE)));
    assertEquals(Set.of(), missing);
  }

  @Test
  void onlyClassesAreNamedThatExist() throws IOException {
    Set<String> unknown = named(Files.readString(PAGE));
    unknown.removeAll(classes(false));
    assertEquals(Set.of(), unknown);
  }

  @Test
  void oneIsFound() {
    assertTrue(isForTheNight("  @Tag(\"night\")\n  void lasts() {}"));
    assertTrue(isForTheNight("int kills = Site.NIGHT ? 12 : 6;"));
    assertFalse(isForTheNight("site.qmgr(\"set sched night partition = NIGHT\");"));
    assertEquals(Set.of("KeeperIT"), named("`FaultsIT` is here\n| a row (`KeeperIT`) | `no` |"));
  }
}
