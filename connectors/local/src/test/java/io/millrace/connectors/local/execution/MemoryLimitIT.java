package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.MemoryLimits;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a site and a job's own request let a run have, without control groups. */
class MemoryLimitIT {
  private static final long GB_IN_KB = 1 << 20;

  @TempDir Path directory;

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatUsesMoreMemoryThanItAskedForIsEndedAndItsNeighbourIsNot(Path supervisor)
      throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      LocalExecution execution = place.open();
      MemoryLimits limit = new MemoryLimits(GB_IN_KB, 0);
      Path go = directory.resolve("go");
      execution.start(
          ExecutionFolder.withMemory(
              place.script("2.vm", attack("memory", GB_IN_KB / 2) + " & " + until(go)), limit));
      execution.start(
          ExecutionFolder.withMemory(
              place.script("1.vm", "trap '' TERM; " + attack("memory", 2 * GB_IN_KB)), limit));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(-27, outcome.exitStatus(), outcome.message());
      assertEquals(RunOutcome.RunEndReason.MEM, outcome.reason());
      String words = "mem \\d+kb exceeded limit 1048576kb";
      assertTrue(outcome.message().matches("job violates resource limits: " + words));
      assertTrue(outcome.usage().memKb() > GB_IN_KB, outcome.toString());
      String said = Files.readAllLines(place.err("1.vm")).get(0);
      assertTrue(said.matches("=>> PBS: job killed: " + words), said);
      Files.createFile(go);
      RunOutcome neighbour = place.outcome("2.vm");
      assertEquals(0, neighbour.exitStatus(), neighbour.message());
      assertEquals("", neighbour.message());
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatTakesMoreAddressesThanItAskedForIsEnded(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      MemoryLimits limit = new MemoryLimits(GB_IN_KB, GB_IN_KB);
      RunRequest request = place.script("1.vm", attack("address", 2 * GB_IN_KB));
      place.open().start(ExecutionFolder.withMemory(request, limit));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(-26, outcome.exitStatus(), outcome.message());
      assertEquals(RunOutcome.RunEndReason.VMEM, outcome.reason());
      String words = "vmem \\d+kb exceeded limit 1048576kb";
      assertTrue(outcome.message().matches("job violates resource limits: " + words));
    }
  }

  /**
   * Four processes have three quarters of a gigabyte together, and would have three each for
   * itself.
   */
  @ParameterizedTest
  @MethodSource("shellAtNight")
  void memoryThatProcessesShareCountsOnce(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      MemoryLimits limit = new MemoryLimits(GB_IN_KB, 0);
      String script = attack("shared", GB_IN_KB * 3 / 4) + " & sleep 3";
      place.open().start(ExecutionFolder.withMemory(place.script("1.vm", script), limit));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(0, outcome.exitStatus(), outcome.message());
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void theSiteMaySayOtherwise(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      Path site = Files.createDirectories(place.spool.resolve("site")).resolve("limits");
      Files.writeString(site, "# ours\nprocesses=777\nmemory=shown\nundelivered=10gb\n");
      String script = attack("memory", GB_IN_KB / 4) + " & ulimit -u; ulimit -Hu; sleep 1";
      RunRequest request = place.script("1.vm", script);
      LocalExecution execution = place.open();
      execution.start(ExecutionFolder.withMemory(request, new MemoryLimits(GB_IN_KB / 8, 1)));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(0, outcome.exitStatus(), outcome.message());
      assertEquals(List.of("777", "777"), Files.readAllLines(place.out("1.vm")));

      Files.writeString(site, "processes=many\n");
      execution.start(place.script("2.vm", "exit 0"));
      RunOutcome refused = place.outcome("2.vm");
      assertEquals(-3, refused.exitStatus());
      assertEquals(
          site
              + ": not processes=NUMBER, memory=enforced, memory=shown or undelivered=SIZE:"
              + " processes=many",
          refused.message());
    }
  }

  private ExecutionFolder place(Path supervisor) throws IOException {
    return new ExecutionFolder(directory, directory.resolve("spool"), supervisor, true);
  }

  private String attack(String what, long kb) throws IOException, InterruptedException {
    return AttackProgram.into(directory) + " " + what + " " + kb + " x";
  }

  private static String until(Path file) {
    return "until [ -e " + file + " ]; do sleep 0.1; done";
  }
}
