package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts are charged once for each run while parts are killed; a planted charge is found. */
@Beside
@Tag("night")
final class ShareFaultsIT {
  private static final int JOBS = 300;
  private static final int KILLS = 30;

  @TempDir Path folder;

  @Test
  void eachRunIsChargedOnce() throws IOException, InterruptedException {
    Harness.Result result =
        new Harness(folder)
            .run("--fair-share", "--jobs", "" + JOBS, "--kills", "" + KILLS, "--seed", "1");
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("twice"), result.words());
    assertEquals(0, result.number("unexplained"), result.words());
    assertEquals(0, result.status(), result.words());
    assertEquals(KILLS, result.number("kills"));
  }

  @Test
  void aChargeThatIsPlantedIsFound() throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, Sabotage.CHARGE_AGAIN, "--fair-share");
    Harness.Result result = planted.run(80, 120);
    assertEquals(1, result.number("twice"), result.words());
    assertEquals(0, result.number("lost"), result.words());
    assertTrue(
        planted.findings().stream().allMatch(it -> it.startsWith("TWICE account ")),
        result.words());
  }
}
