package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recorded sessions of a real Grid Engine 8.1.9, replayed: same starts, same places, same plans.
 */
class GridEngineGoldenTest {

  private static final Path RECORDINGS =
      Path.of(System.getProperty("millrace.root", ".."))
          .resolve(
              System.getProperty("millrace.gridengine.recordings", "../shared/goldens/gridengine"))
          .normalize();

  @TempDir static Path scratch;

  @TestFactory
  Stream<DynamicTest> sessions() throws IOException {
    Assumptions.assumeTrue(
        Files.isDirectory(RECORDINGS), "no recordings of a Grid Engine at " + RECORDINGS);
    return replays(RECORDINGS);
  }

  @TestFactory
  Stream<DynamicTest> sessionsOfOurOwn() throws IOException, URISyntaxException {
    return replays(Path.of(getClass().getResource("/gridengine").toURI()));
  }

  private static Stream<DynamicTest> replays(Path recordings) throws IOException {
    try (Stream<Path> folders = Files.list(recordings)) {
      return folders.filter(Files::isDirectory).sorted().toList().stream()
          .map(folder -> DynamicTest.dynamicTest(name(folder), () -> equal(folder)));
    }
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private static void equal(Path folder) throws IOException {
    Path copy = copy(folder);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertEquals(0, CaseReplay.run(copy, false, new Console(new PrintStream(said), false)));
    Recorded real = new Recorded(folder);
    Recorded ours = new Recorded(copy);
    List<String> differences = new ArrayList<>();
    starts(real, ours, differences);
    plans(real, ours, differences);
    assertTrue(differences.isEmpty(), () -> String.join("\n", differences));
  }

  private static void starts(Recorded real, Recorded ours, List<String> differences) {
    real.starts()
        .forEach(
            (task, start) -> {
              Recorded.Start own = ours.starts().get(task);
              if (own == null
                  || Math.abs(own.at() - start.at()) > 1
                  || !own.granted().equals(start.granted())) {
                differences.add(task + " starts: recorded " + start + ", ours " + own);
              }
            });
    if (!ours.starts().keySet().equals(real.starts().keySet())) {
      differences.add(
          "tasks that start: " + real.starts().keySet() + ", " + ours.starts().keySet());
    }
  }

  /**
   * Compares plans from the second run on. A plan to which the real scheduler gives the start time
   * 0 comes from a flaw of its first attempt and counts as no plan.
   */
  private static void plans(Recorded real, Recorded ours, List<String> differences) {
    for (int run = 1; run < real.plans().size(); run++) {
      Map<String, Set<String>> planned = real.plans().get(run);
      Map<String, Set<String>> own = run < ours.plans().size() ? ours.plans().get(run) : Map.of();
      for (String task : planned.keySet()) {
        boolean flawed = planned.get(task).stream().anyMatch(use -> use.startsWith("never"));
        if (!flawed && !planned.get(task).equals(own.get(task))) {
          differences.add(
              "run "
                  + run
                  + " plans "
                  + task
                  + ": recorded "
                  + planned.get(task)
                  + ", ours "
                  + own.get(task));
        }
      }
      for (String task : own.keySet()) {
        if (!planned.containsKey(task)) {
          differences.add("run " + run + " plans " + task + " too: " + own.get(task));
        }
      }
    }
    if (real.plans().size() != ours.plans().size()) {
      differences.add("runs: recorded " + real.plans().size() + ", ours " + ours.plans().size());
    }
  }

  private static Path copy(Path folder) throws IOException {
    Path copy = scratch.resolve(name(folder));
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String inside = folder.relativize(file).toString();
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy.resolve(inside));
        } else if (!inside.equals("schedule") && !inside.equals("outcome.json")) {
          Files.copy(file, copy.resolve(inside));
        }
      }
    }
    return copy;
  }
}
