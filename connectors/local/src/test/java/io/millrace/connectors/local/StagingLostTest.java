package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of runs that were given up, or whose supervisors were killed, with both supervisors. */
class StagingLostTest {
  private static final Path HOME = Path.of(System.getProperty("user.home"));

  @TempDir Path directory;

  private String id;
  private Workplace place;
  private LocalExecution execution;

  static Stream<Path> supervisors() throws Exception {
    return Stream.of(Supervisors.compiled(), Supervisors.shell());
  }

  private void open(String jobId, Path supervisor) throws IOException {
    id = jobId;
    place = new Workplace(directory, directory.resolve("spool"), supervisor, true);
    execution = place.open();
  }

  private Path own() {
    return HOME.resolve("pbs." + id + ".x8z");
  }

  private Path mark() {
    return HOME.resolve(".millrace-run." + id);
  }

  @AfterEach
  void clear() throws IOException {
    place.close();
    Files.deleteIfExists(mark());
    for (Path left : List.of(own(), Path.of(own() + ".1"))) {
      if (Files.exists(left)) {
        try (Stream<Path> files = Files.walk(left)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }

  private RunId start(int run, String script, Staging staging) throws Exception {
    RunFiles files =
        new RunFiles(place.out(id).toString(), place.err(id).toString(), "n", 022, "", staging);
    RunRequest r = Workplace.withFiles(place.script(id, script), files);
    RunId runId = new RunId(id, run);
    execution.start(
        new RunRequest(runId, r.owner(), r.program(), r.context(), r.files(), r.terms()));
    return runId;
  }

  private Staging takesAway(Path to) {
    return new Staging("here", true, List.of(), List.of("r@here:" + to));
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    await().until(() -> !process.isAlive());
  }

  private ProcessHandle supervisor(RunId run) throws IOException {
    return ProcessHandle.of(
            Spool.open(place.spool).fields(run, "started").orElseThrow().number("supervisor_pid"))
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void aRunThatWasGivenUpLeavesTheFilesOfTheNext(Path supervisor) throws Exception {
    open("7101.staging", supervisor);
    Path to = Files.createDirectory(directory.resolve("to"));
    Path up = directory.resolve("up");
    RunId first = start(1, "echo first >r; echo up >" + up + "; sleep 300", takesAway(to));
    place.awaitFile(up);
    assertTrue(execution.discard(first));
    String message = place.end(first).outcome().message();
    assertTrue(message.contains("its files stay as they are in " + own()), message);
    assertEquals("first\n", Files.readString(own().resolve("r")));
    assertFalse(Files.exists(to.resolve("r")));

    RunId next = start(2, "ls; echo second >r", takesAway(to));
    RunOutcome second = place.end(next).outcome();
    assertEquals(0, second.exitStatus());
    assertEquals(own() + " was there and is " + own() + ".1 now", second.message());
    assertEquals("", Files.readString(place.out(id)), "it began in an empty directory");
    assertEquals("second\n", Files.readString(to.resolve("r")));
    assertEquals("first\n", Files.readString(Path.of(own() + ".1/r")));
    assertFalse(Files.exists(own()));
    assertFalse(Files.exists(mark(), LinkOption.NOFOLLOW_LINKS));
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void aLostRunTakesOnlyItsOwnFilesAway(Path supervisor) throws Exception {
    open("7102.staging", supervisor);
    Path to = Files.createDirectory(directory.resolve("to"));
    for (int run = 1; run <= 2; run++) {
      Path up = directory.resolve("up" + run);
      String script = "echo " + run + " >r; echo up >" + up + "; sleep 300";
      RunId id = start(run, script, takesAway(to));
      place.awaitFile(up);
      if (run == 2) {
        Files.writeString(mark(), "elsewhere: a later run of the job\n");
      }
      kill(supervisor(id));
      RunOutcome outcome = place.end(id).outcome();
      assertEquals(RunOutcome.Reason.LOST, outcome.reason());
      assertEquals("1\n", Files.readString(to.resolve("r")));
      assertEquals(run == 2, outcome.message().contains("another run of the job has begun"));
      assertEquals(run == 2, Files.exists(own()));
    }
    assertEquals("2\n", Files.readString(own().resolve("r")));
    assertEquals("elsewhere: a later run of the job\n", Files.readString(mark()));
  }
}
