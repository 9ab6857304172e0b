package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The harness deletes its home at the end, so it must refuse an existing one. */
class FaultsHomeTest {

  @Test
  void aFolderWithSomebodysFilesIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("thesis"), "years of work");
    List<String> arguments = List.of("--home", folder.toString());
    IOException refused =
        assertThrows(
            IOException.class, () -> Faults.run(arguments, new Console(System.out, false)));
    assertEquals(
        folder + " is not empty: faults deletes its home in the end and wants a new one",
        refused.getMessage());
    assertTrue(Files.exists(file));
  }

  @Test
  void wordsOfCampaignsGoWithACampaign() {
    assertEquals("--tasks goes with --campaigns", refusal("--tasks", "5"));
    assertEquals("--user goes with --campaigns", refusal("--user", "ada"));
    assertEquals(
        "--sabotage is one of lose-command|start-twice|drop-report|forget-state",
        refusal("--sabotage", "send-again"));
    assertEquals(
        "--handovers and --campaigns have different clusters",
        refusal("--campaigns", "--handovers"));
    String nobody = System.getProperty("user.name").equals("root") ? "nobody" : "";
    String[] outside = {"--campaigns", "--outside", "pbs", "--user", nobody};
    assertEquals(
        "--outside is one of gridengine|slurm",
        refusal(nobody.isEmpty() ? Arrays.copyOf(outside, 3) : outside));
  }

  private static String refusal(String... arguments) {
    UsageException refused =
        assertThrows(
            UsageException.class,
            () -> Faults.run(List.of(arguments), new Console(System.out, false)));
    String said = refused.getMessage();
    return said.substring(said.indexOf("--"), said.indexOf(" (see "));
  }
}
