package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The harness finds real faults that are planted from the outside, and leaves the evidence. */
@Beside
final class SabotageIT {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Sabotage.class)
  void aPlantedFaultIsFound(Sabotage sabotage) throws IOException, InterruptedException {
    Harness harness = new Harness(folder);
    Harness.Result result =
        harness.run(
            "--jobs",
            // A fault is planted only while jobs are left to run; it may need several tries where
            // a report has to be met on its way.
            losesReport(sabotage) ? "160" : "80",
            "--kills",
            "2",
            "--seed",
            "3",
            "--patience",
            // What was lost never comes. Beside a run that is started twice nothing may look lost.
            sabotage == Sabotage.START_TWICE ? "60" : "15",
            "--sabotage",
            sabotage.text());
    assertEquals(1, result.status(), result.words());
    String counter = sabotage == Sabotage.START_TWICE ? "twice" : "lost";
    String other = sabotage == Sabotage.START_TWICE ? "lost" : "twice";
    long found = result.number(counter);
    if (losesReport(sabotage)) {
      // Once the host was asked after the run, the job is queued again, for which there is no
      // cause.
      found += result.number("unexplained");
    }
    assertTrue(found > 0, result.words());
    assertEquals(0, result.number(other), result.words());
    Path findings = harness.home().resolve("faults/evidence/findings");
    assertTrue(Files.size(findings) > 0, "the findings are kept");
  }

  private static boolean losesReport(Sabotage sabotage) {
    return sabotage == Sabotage.DROP_REPORT || sabotage == Sabotage.LOSE_COMMAND;
  }
}
