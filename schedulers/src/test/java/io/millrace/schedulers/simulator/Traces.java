package io.millrace.schedulers.simulator;

import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Workloads for tests: those of the archive, if they are available, and small generated ones. */
final class Traces {

  private static final Path FOLDER =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/traces").normalize();

  /** Name of the smallest archived trace. */
  static final String SMALLEST = "KTH-SP2-1996-2.1-cln";

  private Traces() {}

  /** A trace by its name in the archive; reports loudly when it is missing. */
  static Optional<Workload> archived(String name) throws IOException {
    Path file = FOLDER.resolve(name + ".swf.gz");
    if (!Files.exists(file)) {
      System.out.println("simulator: SKIPPED: there is no " + file);
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      Trace trace = TraceReader.read(in);
      return Optional.of(Workload.of(trace, trace.processors(), Workload.SameSecond.SHORTEST));
    }
  }

  /**
   * Lines of the table of published values, by day only those of the smallest trace; empty when the
   * table is missing.
   */
  static List<String[]> published() throws IOException {
    Path table = FOLDER.resolve("reference.csv");
    if (!Files.exists(table)) {
      System.out.println("simulator: SKIPPED: there is no " + table);
      return List.of();
    }
    return Files.readAllLines(table).stream()
        .skip(1)
        .map(line -> line.split(","))
        .filter(row -> Seeds.NIGHT || row[0].equals(SMALLEST))
        .toList();
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
