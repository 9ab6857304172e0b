package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A run of the harness with a fault that is planted from the outside. */
final class Planted {

  private static final int KILLS = 2;
  private static final int SEED = 3;

  private final Harness harness;
  private final Sabotage sabotage;

  Planted(Path folder, Sabotage sabotage) {
    this.harness = new Harness(folder);
    this.sabotage = sabotage;
  }

  /**
   * The harness has ended as one does that found something.
   *
   * @param jobs a fault is planted only while jobs are left to run
   * @param patienceS how long a job may look lost
   */
  Harness.Result run(int jobs, int patienceS) throws IOException, InterruptedException {
    Harness.Result result =
        harness.run(
            "--jobs",
            String.valueOf(jobs),
            "--kills",
            String.valueOf(KILLS),
            "--seed",
            String.valueOf(SEED),
            "--patience",
            String.valueOf(patienceS),
            "--sabotage",
            sabotage.text());
    assertEquals(1, result.status(), result.words());
    return result;
  }

  /** The evidence is kept. */
  void leavesFindings() throws IOException {
    Path findings = harness.home().resolve("faults/evidence/findings");
    assertTrue(Files.size(findings) > 0, "the findings are kept");
  }
}
