package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is lost and nothing happens twice while the parts are killed under load. */
final class FaultsIT {
  @TempDir Path folder;

  @Test
  void nothingIsLostAndNothingHappensTwice() throws IOException, InterruptedException {
    Harness harness = new Harness(folder);
    Harness.Result result = harness.run("--jobs", "300", "--kills", "12", "--seed", "7");
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("twice"), result.words());
    assertEquals(0, result.number("unexplained"), result.words());
    assertEquals(0, result.status(), result.words());
    assertEquals(300, result.number("jobs"));
    assertEquals(12, result.number("kills"));
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
