package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers, and two hosts with a server, a gateway, an engine and an executor each: nothing is
 * lost and nothing happens twice while each of them is killed, links are cut and brokers are
 * paused.
 */
@Beside
@Tag("night")
public final class ClusterFaultsIT {

  private static final int JOBS = 400;

  /** With these the seed strikes each part and each kind of strike; see {@code KilledPartsTest}. */
  public static final int KILLS = 40;

  public static final long SEED = 15;

  private static final int PLANTED_JOBS = 160;

  @TempDir Path folder;

  @Test
  void nothingIsLostAndNothingHappensTwice() throws IOException, InterruptedException {
    Harness harness = new Harness(folder);
    Harness.Result result =
        harness.run("--cluster", "--jobs", "" + JOBS, "--kills", "" + KILLS, "--seed", "" + SEED);
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("twice"), result.words());
    assertEquals(0, result.number("unexplained"), result.words());
    assertEquals(0, result.status(), result.words());
    assertEquals(JOBS, result.number("jobs"));
    assertTrue(result.number("kills") >= KILLS, result.words());
    assertFalse(Files.exists(harness.home()), "a home without findings is removed");
    System.out.println(result.words());
  }

  @Test
  void aScriptThatIsStartedTwiceIsFound() throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, Sabotage.START_TWICE, "--cluster");
    Harness.Result result = planted.run(PLANTED_JOBS, 60);
    assertTrue(result.number("twice") > 0, result.words());
    assertEquals(0, result.number("lost"), result.words());
    planted.leavesFindings();
  }

  @Test
  void aCommandThatIsLostIsFound() throws IOException, InterruptedException {
    PlantedFault planted = new PlantedFault(folder, Sabotage.LOSE_COMMAND, "--cluster");
    Harness.Result result = planted.run(PLANTED_JOBS, 30);
    assertEquals(0, result.number("twice"), result.words());
    planted.leavesFindings();
  }
}
