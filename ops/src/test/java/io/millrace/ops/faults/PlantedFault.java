package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of the harness with a fault that is planted from the outside. */
final class PlantedFault {

  private static final int KILLS = 2;
  private static final int SEED = 3;
  private static final int TRIES_MAX = 3;

  private final Path folder;
  private final Sabotage sabotage;
  private final List<String> more;
  private Harness harness;

  /**
   * @param more further arguments of the harness
   */
  PlantedFault(Path folder, Sabotage sabotage, String... more) {
    this.folder = folder;
    this.sabotage = sabotage;
    this.more = List.of(more);
  }

  /**
   * Runs the harness and expects it to report defects. If it reports no jobs, it had no occasion to
   * plant the fault, for example on a busy machine, and is run again.
   *
   * @param jobs a fault is planted only while jobs are left to run
   * @param patienceS how long a job may look lost
   */
  Harness.Result run(int jobs, int patienceS) throws IOException, InterruptedException {
    Harness.Result result = attempt(jobs, patienceS, 1);
    for (int i = 2; i <= TRIES_MAX && result.json().isBlank(); i++) {
      System.out.println("faults: " + sabotage.text() + " once more: " + result.words());
      result = attempt(jobs, patienceS, i);
    }
    assertEquals(1, result.status(), result.words());
    return result;
  }

  private Harness.Result attempt(int jobs, int patienceS, int number)
      throws IOException, InterruptedException {
    harness = new Harness(Files.createDirectory(folder.resolve("try-" + number)));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--jobs",
                String.valueOf(jobs),
                "--kills",
                String.valueOf(KILLS),
                "--seed",
                String.valueOf(SEED),
                "--patience",
                String.valueOf(patienceS),
                "--sabotage",
                sabotage.text()));
    arguments.addAll(more);
    return harness.run(arguments.toArray(String[]::new));
  }

  /** What was found, beside that the wait was given up; it was kept. */
  List<String> findings() throws IOException {
    Path defects = harness.home().resolve("faults/evidence/findings");
    List<String> findings = new ArrayList<>(Files.readAllLines(defects));
    findings.removeIf(it -> it.contains("the wait for the end"));
    return findings;
  }

  /** Checks that the evidence was kept. */
  void leavesFindings() throws IOException {
    assertFalse(findings().isEmpty(), "the findings are kept");
  }
}
