package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Workloads for tests: those of the archive, if they are available, and small generated ones. */
final class Traces {

  private static final Path FOLDER =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/traces").normalize();

  /** Name of the smallest archived trace. */
  static final String SMALLEST = "KTH-SP2-1996-2.1-cln";

  private Traces() {}

  /** A trace by its name in the archive; aborts the test that asks for one that is not here. */
  static Workload archived(String name) throws IOException {
    Path file = here(FOLDER.resolve(name + ".swf.gz"));
    try (InputStream in = Files.newInputStream(file)) {
      Trace trace = TraceReader.read(in);
      return Workload.of(trace, trace.processors(), Workload.SameSecond.SHORTEST);
    }
  }

  private static Path here(Path file) {
    assumeTrue(Files.exists(file), () -> "SKIPPED: THERE IS NO " + file);
    return file;
  }

  /**
   * Lines of the table of published values that a replay can be compared with, by day only those of
   * the smallest trace; aborts the test when the table is not here.
   */
  static List<String[]> published() throws IOException {
    List<String[]> rows =
        Files.readAllLines(here(FOLDER.resolve("reference.csv"))).stream()
            .skip(1)
            .map(line -> line.split(","))
            .filter(row -> row[7].equals("reference replay"))
            .filter(row -> Seeds.NIGHT || row[0].equals(SMALLEST))
            .toList();
    assertFalse(rows.isEmpty(), "rows of " + SMALLEST);
    return rows;
  }

  /** A small, crowded workload: bursts, equal times, exact and wild estimates. */
  static Workload made(long seed, int jobs) {
    Random random = new Random(seed);
    int processors = 1 + random.nextInt(40);
    List<TraceJob> all = new ArrayList<>();
    long submitS = random.nextInt(1000);
    for (int i = 0; i < jobs; i++) {
      submitS += random.nextInt(3) == 0 ? random.nextInt(60) : 0;
      long runS = 1 + random.nextInt(random.nextBoolean() ? 5 : 100);
      long estimateS =
          switch (random.nextInt(3)) {
            case 0 -> runS;
            case 1 -> runS + random.nextInt(20);
            default -> Math.max(runS, 60L * (1 + random.nextInt(5)));
          };
      int wide = random.nextInt(4) == 0 ? processors : Math.max(1, processors / 3);
      all.add(new TraceJob(i + 1, submitS, runS, 1 + random.nextInt(wide), estimateS));
    }
    return new Workload(processors, 0, all, new TraceFindings());
  }
}
