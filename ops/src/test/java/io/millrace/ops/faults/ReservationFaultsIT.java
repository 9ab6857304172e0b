package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reservations in two installations whose parts are killed, and the faults that are found there.
 */
@Beside
final class ReservationFaultsIT {
  private static final boolean NIGHT = Boolean.getBoolean("millrace.night");
  private static final int TRANSACTIONS = NIGHT ? 60 : 24;
  private static final int KILLS = NIGHT ? 8 : 3;

  /** At night as many as when nothing is said; the gate has two cores. */
  private static final int PARTITIONS = NIGHT ? 8 : 3;

  /** What is to be 0. */
  private static final List<String> FINDINGS =
      List.of("held", "double_booked", "half", "untrue_answers", "ran_over", "untold", "too_few");

  @TempDir Path folder;

  private Harness.Result run(String... more) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--reservations"));
    all.addAll(List.of("--transactions", "" + TRANSACTIONS, "--partitions", "" + PARTITIONS));
    all.addAll(List.of("--seed", "7"));
    all.addAll(List.of(more));
    return new Harness(folder).run(all.toArray(String[]::new));
  }

  @Test
  void allOrNoneAndNothingHeld() throws IOException, InterruptedException {
    Harness.Result result = run("--kills", "" + KILLS);
    for (String count : FINDINGS) {
      assertEquals(0, result.number(count), result.words());
    }
    for (String count :
        List.of("kept", "cancelled", "across", "ended", "modified", "destroyed", "granted")) {
      assertTrue(result.number(count) > 0, result.words());
    }
    assertEquals(0, result.status(), result.words());
    assertEquals(TRANSACTIONS, result.number("transactions"));
    assertTrue(result.number("kills") >= KILLS, result.words());
  }

  @Tag("night")
  @ParameterizedTest
  @CsvSource({"forget-settle,held", "confirm-twice,double_booked", "drop-part,half"})
  void plantedFaultsAreFound(String sabotage, String count)
      throws IOException, InterruptedException {
    Harness.Result result = run("--kills", "1", "--sabotage", sabotage);
    assertEquals(1, result.status(), result.words());
    assertTrue(result.words().contains("planted: "), result.words());
    for (String each : FINDINGS) {
      if (each.equals(count)) {
        assertTrue(result.number(each) > 0, result.words());
      } else {
        assertEquals(0, result.number(each), each + " of " + sabotage + ": " + result.words());
      }
    }
  }
}
