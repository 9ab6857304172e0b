package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.e2e.Account;
import io.millrace.ops.e2e.Beside;
import io.millrace.ops.e2e.OutsidePeer;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each task of a campaign is counted once while parts are killed and local jobs end tasks; planted
 * faults of the campaign server are found.
 */
@Beside
@Tag("night")
public final class CampaignFaultsIT {
  /** With each of these every part is killed; {@code KilledPartsTest} looks at it. */
  public static final long FIRST_SEED = 4;

  public static final long SECOND_SEED = 48;
  public static final long THIRD_SEED = 629;
  public static final int KILLS = 12;

  private static final int TASKS = 300;

  @TempDir Path folder;
  private Account user;

  @BeforeEach
  void user() throws IOException, InterruptedException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    user = Account.ordinary("mrbag", folder);
  }

  @AfterEach
  void remove() throws IOException, InterruptedException {
    user.remove(folder);
  }

  @ParameterizedTest
  @ValueSource(longs = {FIRST_SEED, SECOND_SEED, THIRD_SEED})
  void eachTaskIsCountedOnce(long seed) throws IOException, InterruptedException {
    once(run("--seed", "" + seed));
  }

  /** Its connector and its master are killed, too. */
  @Test
  @ResourceLock(OutsidePeer.ALL)
  void aSlurmIsOneOfItsClusters() throws IOException, InterruptedException {
    assumeTrue(Account.superuser(), "only root can start a Slurm");
    Harness.Result result = run("--outside", "slurm", "--seed", "1");
    assumeTrue(!result.words().contains("cannot be installed"), result.words());
    once(result);
    assertTrue(result.words().contains("master of the slurm killed"), result.words());
    assertFalse(result.words().contains("forward-c1   killed   0 times"), result.words());
  }

  /** What was not answered is submitted again there, and nobody looks for the first. */
  @Test
  @ResourceLock(OutsidePeer.ALL)
  void aConnectorThatDoesNotLookIsFound() throws IOException, InterruptedException {
    assumeTrue(Account.superuser(), "only root can start a Slurm");
    Harness.Result result = run("--outside", "slurm", "--seed", "1", "--sabotage", "no-look-up");
    assumeTrue(!result.words().contains("cannot be installed"), result.words());
    assertEquals(1, result.status(), result.words());
    assertTrue(result.number("attempts_twice") > 0, result.words());
    assertTrue(result.words().contains("SUBMITTED_AGAIN"), result.words());
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("counted_twice"), result.words());
  }

  private Harness.Result run(String... more) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("--campaigns", "--user", user.name()));
    words.addAll(List.of("--tasks", "" + TASKS, "--kills", "" + KILLS));
    words.addAll(List.of(more));
    return new Harness(folder).run(words.toArray(String[]::new));
  }

  private static void once(Harness.Result result) {
    assertEquals(0, result.number("lost"), result.words());
    assertEquals(0, result.number("counted_twice"), result.words());
    assertEquals(0, result.number("attempts_twice"), result.words());
    assertEquals(0, result.number("unexplained"), result.words());
    assertEquals(0, result.status(), result.words());
    assertEquals(TASKS, result.number("tasks"));
    assertEquals(KILLS, result.number("kills"));
    assertFalse(result.words().contains("of which 0 attempts"), result.words());
  }

  private PlantedFault planted(Sabotage sabotage) {
    return new PlantedFault(
        folder, sabotage, "--campaigns", "--user", user.name(), "--tasks", "150");
  }

  @ParameterizedTest
  @EnumSource(
      value = Sabotage.class,
      names = {"FORGET_TASK", "SEND_AGAIN", "COUNT_REPLICA"})
  void plantedFaultsAreFound(Sabotage sabotage) throws IOException, InterruptedException {
    PlantedFault planted = planted(sabotage);
    // What was forgotten never ends.
    Harness.Result result = planted.run(15, 30);
    PlantedTask.of(sabotage, result.words()).isFound(planted.findings());
    String counter =
        switch (sabotage) {
          case FORGET_TASK -> "lost";
          case SEND_AGAIN -> "attempts_twice";
          default -> "counted_twice";
        };
    assertTrue(result.number(counter) > 0, result.words());
  }

  @Test
  void wrongOptionsAreRefusedByName() throws IOException, InterruptedException {
    Harness.Result result =
        new Harness(folder).run("--campaigns", "--user", user.name(), "--sabotage", "start-twice");
    assertEquals(2, result.status());
    String said = "--sabotage is one of forget-task|send-again|count-replica with --campaigns";
    assertTrue(result.words().contains(said), result.words());
  }
}
