package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.ConcurrentRuns;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.Staging;
import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of runs that were given up, or whose supervisors were killed, with both supervisors. */
@ConcurrentRuns
class StagingLostIT {
  private static final Path HOME = Path.of(System.getProperty("user.home"));

  @TempDir Path directory;

  private String id;
  private ExecutionFolder place;
  private LocalExecution execution;

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  private void open(String jobId, Path supervisor) throws IOException {
    id = jobId;
    place = new ExecutionFolder(directory, directory.resolve("spool"), supervisor, true);
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
    RunRequest r = ExecutionFolder.withFiles(place.script(id, script), files);
    RunId runId = new RunId(id, run);
    execution.start(
        new RunRequest(runId, r.owner(), r.program(), r.context(), r.files(), r.terms()));
    return runId;
  }

  private Staging takesAway(Path to) {
    return ExecutionFolder.staging("here", true, List.of(), List.of("r@here:" + to));
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    await().atMost(Duration.ofSeconds(180)).until(() -> !ExecutionFixture.alive(process.pid()));
  }

  private ProcessHandle supervisor(RunId run) throws IOException {
    return ProcessHandle.of(
            Spool.open(place.spool).fields(run, "started").orElseThrow().number("supervisor_pid"))
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
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
  @MethodSource("shellAtNight")
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
      assertEquals(RunOutcome.RunEndReason.LOST, outcome.reason());
      assertEquals("1\n", Files.readString(to.resolve("r")));
      assertEquals(run == 2, outcome.message().contains("another run of the job has begun"));
      assertEquals(run == 2, Files.exists(own()));
    }
    assertEquals("2\n", Files.readString(own().resolve("r")));
    assertEquals("elsewhere: a later run of the job\n", Files.readString(mark()));
  }

  /** The site's command for other hosts: copies, and the first time then stands still. */
  private void copyThatStandsStill() throws IOException {
    Path copy = Files.createDirectories(place.spool.resolve("site")).resolve("copy");
    String text =
        """
        #!/bin/sh
        cp -rp "${1#*:}" "${2#*:}" || exit 1
        [ ! -e %1$s/pid ] || exit 0
        echo $$ >%1$s/pid.new && mv %1$s/pid.new %1$s/pid
        read forever <%1$s/fifo
        """;
    Files.writeString(copy, text.formatted(directory));
    for (Path file : List.of(copy, copy.getParent())) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** Kills the supervisor of the copy that stands still, and returns that. */
  private long killDuringCopy() throws IOException {
    place.awaitFile(directory.resolve("pid"));
    long copy = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    ProcessHandle above = ProcessHandle.of(copy).orElseThrow();
    while (!above.info().commandLine().orElse("").contains("millrace-supervisor")) {
      above = above.parent().orElseThrow();
    }
    kill(above);
    return copy;
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatWasBroughtInPartIsBroughtOnce(Path supervisor) throws Exception {
    open("7103.staging", supervisor);
    assertEquals(0, new ProcessBuilder("mkfifo", directory + "/fifo").start().waitFor());
    copyThatStandsStill();
    Path far = Files.createDirectories(directory.resolve("far"));
    Files.writeString(far.resolve("a"), "a");
    List<String> in = List.of("one@here:" + far + "/a", "dir@elsewhere:" + far);
    RunId run =
        start(1, "find one dir | sort", ExecutionFolder.staging("here", true, in, List.of()));
    long copy = killDuringCopy();
    RunOutcome outcome = place.end(run).outcome();
    assertEquals("", outcome.message());
    assertEquals(0, outcome.exitStatus());
    assertEquals(List.of("dir", "dir/a", "one"), Files.readAllLines(place.out(id)));
    assertFalse(ExecutionFixture.alive(copy), "two would have copied at once");
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatWasTakenAwayIsNotLookedForAgain(Path supervisor) throws Exception {
    open("7104.staging", supervisor);
    assertEquals(0, new ProcessBuilder("mkfifo", directory + "/fifo").start().waitFor());
    copyThatStandsStill();
    Path to = Files.createDirectory(directory.resolve("to"));
    List<String> out =
        List.of("a@here:" + to + "/b", "x*@here:" + to, "d@here:" + to + "/d2", "f@there:" + to);
    String script = "echo a >a; touch x1 x2 f; mkdir -p d/e";
    RunId run = start(1, script, ExecutionFolder.staging("here", true, List.of(), out));
    long copy = killDuringCopy();
    RunOutcome outcome = place.end(run).outcome();
    assertEquals(
        "the supervisor of the run died; what was left of the run was killed", outcome.message());
    try (Stream<Path> files = Files.walk(to)) {
      assertEquals(
          List.of("", "b", "d2", "d2/e", "f", "x1", "x2"),
          files.map(file -> to.relativize(file) + "").sorted().toList());
    }
    assertFalse(ExecutionFixture.alive(copy), "two would have copied at once");
    assertFalse(Files.exists(own()));
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void aRunThatIsDeletedAfterThatIsClearedUp(Path supervisor) throws Exception {
    open("7105.staging", supervisor);
    assertEquals(0, new ProcessBuilder("mkfifo", directory + "/fifo").start().waitFor());
    copyThatStandsStill();
    Path far = Files.writeString(directory.resolve("far"), "far");
    Path near = directory.resolve("near");
    List<String> in = List.of(near + "1@here:" + far, near + "2@elsewhere:" + far);
    RunId run = start(1, "true", ExecutionFolder.staging("here", false, in, List.of()));
    place.awaitFile(directory.resolve("pid"));
    execution.close(); // so that nobody follows before the run is to end
    long copy = killDuringCopy();
    Files.writeString(place.spool.resolve("runs/" + run.directoryName() + "/kill"), "15\n");
    execution = place.open();
    assertEquals(271, place.end(run).outcome().exitStatus());
    assertFalse(ExecutionFixture.alive(copy));
    assertFalse(Files.exists(Path.of(near + "1")), "what was brought is gone");
    assertFalse(Files.exists(mark()));
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatACopyLeavesRunningEndsWithIt(Path supervisor) throws Exception {
    open("7106.staging", supervisor);
    copyThatStandsStill();
    Path copy = place.spool.resolve("site/copy");
    String begins = supervisor.toString().endsWith(".sh") ? "" : "setsid ";
    Files.writeString(
        copy,
        "#!/bin/sh\n%ssleep 300 >/dev/null 2>&1 & echo $! >>%s/left\ncp \"${1#*:}\" \"${2#*:}\"\n"
            .formatted(begins, directory));
    Path far = Files.writeString(directory.resolve("far"), "far");
    RunId run =
        start(
            1,
            "stat=$(cat /proc/$(cat %s/left)/stat) || exit 1; [[ $stat == *') Z '* ]] && exit 1; true"
                .formatted(directory),
            ExecutionFolder.staging(
                "here", true, List.of("near@far:" + far), List.of("near@far:" + far + "2")));
    assertEquals(1, place.end(run).outcome().exitStatus(), "it is gone before the job begins");
    List<String> left = Files.readAllLines(directory.resolve("left"));
    assertEquals(2, left.size());
    for (String pid : left) {
      assertFalse(ExecutionFixture.alive(Long.parseLong(pid)));
    }
  }
}
