package io.millrace.ops.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Recorded sessions of a real OpenPBS 23.06 with files of its scheduler, played: the same starts in
 * the same order and cycles, on the same nodes, and the same comments.
 */
class SiteGoldenTest {

  private static final Path RECORDINGS =
      Path.of(System.getProperty("millrace.root", ".."))
          .resolve("../shared/goldens/sched-config")
          .normalize();

  /** Sessions that do not agree yet, and why; one that begins to agree has to leave the list. */
  private static final Map<String, String> NOT_YET =
      Map.of(
          "56-fs-walltime",
          "a job ended in the moment in which a step had scheduling on, which called one more"
              + " cycle");

  /**
   * By how much usages may differ: the MOM of a recording tells them each second or two, and a run
   * is charged from report to report.
   */
  private static final Map<String, Integer> TOLERANCES = Map.of("59-fs-usage-files", 25);

  /** So many sessions there are. */
  private static final int SESSIONS = 105;

  @TestFactory
  Stream<DynamicTest> sessions() throws IOException {
    Assumptions.assumeTrue(
        Files.isDirectory(RECORDINGS), "no recordings of an OpenPBS at " + RECORDINGS);
    try (Stream<Path> folders = Files.list(RECORDINGS)) {
      List<Path> sessions = folders.filter(Files::isDirectory).sorted().toList();
      assertEquals(SESSIONS, sessions.size());
      return sessions.stream()
          .map(folder -> DynamicTest.dynamicTest(name(folder), () -> check(folder)));
    }
  }

  /** Sessions of our own for rules that have to hold without the recordings, checked by hand. */
  @TestFactory
  Stream<DynamicTest> sessionsOfOurOwn() throws IOException, URISyntaxException {
    Path own = Path.of(getClass().getResource("/schedconfig").toURI());
    try (Stream<Path> folders = Files.list(own)) {
      return folders.filter(Files::isDirectory).sorted().toList().stream()
          .map(folder -> DynamicTest.dynamicTest(name(folder), () -> check(folder)));
    }
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private static void check(Path folder) throws IOException {
    int tolerance = TOLERANCES.getOrDefault(name(folder), 0);
    List<String> differences = SiteCaseKind.differences(folder, tolerance);
    if (NOT_YET.containsKey(name(folder))) {
      assertFalse(differences.isEmpty(), "agrees by now: it leaves the list of those that do not");
    } else {
      assertEquals(List.of(), differences);
    }
  }
}
