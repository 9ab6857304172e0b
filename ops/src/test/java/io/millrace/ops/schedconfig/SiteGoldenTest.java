package io.millrace.ops.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    assertEquals(List.of(), SiteCaseKind.differences(folder, 0));
  }
}
