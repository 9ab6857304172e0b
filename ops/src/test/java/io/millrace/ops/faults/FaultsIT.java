package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is lost and nothing happens twice while parts are killed under load. */
@Order(3)
@Beside
public final class FaultsIT {
  private static final boolean NIGHT = Boolean.getBoolean("millrace.night");
  private static final int JOBS = NIGHT ? 300 : 120;

  /**
   * By day's few kills hit every part, two at once and one in a recovery; the schedule of the seed
   * is looked at by {@code KilledPartsTest}.
   */
  public static final long SEED = 1839;

  public static final int KILLS_BY_DAY = 6;
  public static final int KILLS_AT_NIGHT = 12;
  private static final int KILLS = NIGHT ? KILLS_AT_NIGHT : KILLS_BY_DAY;

  @TempDir Path folder;

  @Test
  void nothingIsLostAndNothingHappensTwice() throws IOException, InterruptedException {
    Harness harness = new Harness(folder);
    Harness.Result result =
        harness.run("--jobs", "" + JOBS, "--kills", "" + KILLS, "--seed", "" + SEED);
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("twice"), result.words());
    assertEquals(0, result.number("unexplained"), result.words());
    assertEquals(0, result.status(), result.words());
    assertEquals(JOBS, result.number("jobs"));
    assertEquals(KILLS, result.number("kills"));
    assertFalse(result.words().contains("killed   0 times"), result.words());
    assertFalse(Files.exists(harness.home()), "a home without findings is removed");
  }

  @Test
  void aWrongFaultIsRefusedByName() throws IOException, InterruptedException {
    Harness.Result result = new Harness(folder).run("--sabotage", "eat-disk");
    assertEquals(2, result.status());
    assertTrue(
        result.words().contains("--sabotage is one of lose-command|start-twice|"), result.words());
  }
}
