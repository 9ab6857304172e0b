package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import java.io.IOException;
import java.nio.file.Path;
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

  @TempDir Path folder;

  private Harness.Result run(String... more) throws IOException, InterruptedException {
    String[] all = new String[more.length + 5];
    all[0] = "--reservations";
    all[1] = "--transactions";
    all[2] = "" + TRANSACTIONS;
    all[3] = "--seed";
    all[4] = "7";
    System.arraycopy(more, 0, all, 5, more.length);
    return new Harness(folder).run(all);
  }

  @Test
  void allOrNoneAndNothingHeld() throws IOException, InterruptedException {
    Harness.Result result = run("--kills", "" + KILLS);
    for (String count :
        List.of(
            "held", "double_booked", "half", "untrue_answers", "untold", "ran_over", "too_few")) {
      assertEquals(0, result.number(count), result.words());
    }
    for (String count : List.of("kept", "cancelled", "across", "granted")) {
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
    assertTrue(result.number(count) > 0, result.words());
  }
}
