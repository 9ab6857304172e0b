package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.e2e.Account;
import io.millrace.ops.e2e.OutsidePeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs in a real system whose commands fail, under kills; planted mistakes of a connector. */
@Tag("night")
@ResourceLock(OutsidePeer.ALL)
final class OutsideFaultsIT {
  private static final int JOBS = 40;
  private static final int KILLS = 12;

  private static final List<String> FINDINGS =
      List.of(
          "lost", "twice", "submitted_again", "ended_early", "disagree", "unexplained", "too_few");

  @TempDir Path folder;

  @BeforeEach
  void everybodyMayEnter() throws IOException {
    assumeTrue(Account.superuser(), "only root can start a Slurm or a Grid Engine");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Harness.Result run(String system, String... more)
      throws IOException, InterruptedException {
    String[] all = new String[more.length + 6];
    List<String> begin = List.of("--outside", system, "--jobs", "" + JOBS, "--seed", "7");
    System.arraycopy(begin.toArray(), 0, all, 0, begin.size());
    System.arraycopy(more, 0, all, begin.size(), more.length);
    Harness.Result result = new Harness(folder).run(all);
    assumeTrue(!result.words().contains("cannot be installed"), result.words());
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"slurm", "gridengine"})
  void eachScriptBeginsOnceAndAllAgrees(String system) throws IOException, InterruptedException {
    Harness.Result result = run(system, "--kills", "" + KILLS);
    for (String finding : FINDINGS) {
      assertEquals(0, result.number(finding), result.words());
    }
    assertEquals(0, result.status(), result.words());
    assertTrue(result.number("kills") >= KILLS, result.words());
    assertTrue(result.number("swallowed") > 0, result.words());
  }

  @ParameterizedTest
  @CsvSource({
    "slurm, no-look-up, submitted_again",
    "slurm, no-claim, twice",
    "slurm, failed-query-is-end, ended_early",
    "gridengine, no-look-up, submitted_again",
    "gridengine, no-claim, twice",
    "gridengine, failed-query-is-end, ended_early"
  })
  void plantedMistakesAreFound(String system, String sabotage, String finding)
      throws IOException, InterruptedException {
    Harness.Result result = run(system, "--kills", "1", "--sabotage", sabotage);
    assertEquals(1, result.status(), result.words());
    assertTrue(result.number(finding) > 0, result.words());
  }
}
