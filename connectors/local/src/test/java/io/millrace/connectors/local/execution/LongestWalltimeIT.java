package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Durations at the end of their range: a run with one begins, waits quietly, and ends. */
class LongestWalltimeIT {
  private static final String NAME = "millrace-supervisor";

  /** What one multiplies with to get milliseconds and hundredths, and around it. */
  private static final List<Long> WALLTIMES_S =
      List.of(
          Long.MAX_VALUE,
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE / 1000 + 1,
          Long.MAX_VALUE / 1000,
          Long.MAX_VALUE / 1000 - 1,
          Long.MAX_VALUE / 100 + 1,
          Long.MAX_VALUE / 100);

  private static final long TICKS_MAX = 150;

  @TempDir Path directory;

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatMayLastForEverWaitsQuietly(Path supervisor) throws Exception {
    Path spool = directory.resolve("spool");
    try (ExecutionFolder place = new ExecutionFolder(directory, spool, supervisor, true)) {
      LocalExecution execution = place.open();
      Path go = directory.resolve("go");
      String script = "until [ -e " + go + " ]; do sleep 1; done";
      for (int i = 0; i < WALLTIMES_S.size(); i++) {
        assertTrue(
            execution.start(
                ExecutionFolder.withTerms(place.script(i + ".vm", script), WALLTIMES_S.get(i), 1)));
      }
      String altered = "altered.vm";
      assertTrue(execution.start(ExecutionFolder.withTerms(place.script(altered, script), 600, 1)));
      for (RunId id : execution.runs()) {
        place.awaitFile(spool.resolve("runs").resolve(id.directoryName()).resolve("started"));
      }
      assertTrue(execution.order(new RunId(altered, 1), 0, "limit" + Long.MAX_VALUE));
      long before = ticks(spool);
      await("little processor time")
          .during(Duration.ofSeconds(5))
          .atMost(Duration.ofSeconds(20))
          .until(() -> ticks(spool) - before < TICKS_MAX);
      Files.createFile(go);
      for (int i = 0; i < WALLTIMES_S.size(); i++) {
        assertEquals(0, place.outcome(i + ".vm").exitStatus(), "walltime " + WALLTIMES_S.get(i));
      }
      assertEquals(0, place.outcome(altered).exitStatus());
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatHasForEverToEndIsNotKilled(Path supervisor) throws Exception {
    Path spool = directory.resolve("spool");
    try (ExecutionFolder place = new ExecutionFolder(directory, spool, supervisor, true)) {
      String script = "trap 'sleep 1; echo in time; exit 3' TERM; while :; do sleep 0.1; done";
      assertTrue(
          place
              .open()
              .start(ExecutionFolder.withTerms(place.script("1.vm", script), 1, Long.MAX_VALUE)));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(RunOutcome.RunEndReason.WALLTIME, outcome.reason());
      assertEquals("in time\n", Files.readString(place.out("1.vm")));
    }
  }

  /** Clock ticks that the supervisors of a spool have used; they stand in their runs' folders. */
  private static long ticks(Path spool) throws IOException {
    long ticks = 0;
    for (Path process : Spool.list(Path.of("/proc"))) {
      if (process.getFileName().toString().matches("\\d+")) {
        ticks += ticks(process, spool);
      }
    }
    return ticks;
  }

  private static long ticks(Path process, Path spool) {
    try {
      boolean supervisor =
          Files.readSymbolicLink(process.resolve("cwd")).startsWith(spool)
              && Files.readString(process.resolve("cmdline")).contains(NAME);
      if (!supervisor) {
        return 0;
      }
      String line = Files.readString(process.resolve("stat"));
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      return 0; // it has ended meanwhile, or is another user's
    }
  }
}
