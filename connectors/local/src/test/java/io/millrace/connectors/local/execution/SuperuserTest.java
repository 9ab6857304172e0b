package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only root can do: become another user, and mount a small disk. */
class SuperuserTest {
  /** A user that every Linux host has, with a home directory that he can enter. */
  private static final String OTHER = "daemon";

  @TempDir Path directory;

  static Stream<Path> supervisors() throws Exception {
    return Supervisors.both();
  }

  @BeforeEach
  void root() {
    if (!ExecutionFolder.USER.equals("root")) {
      System.err.println("SKIPPED: not root, other users and a full disk are not tested");
      Assumptions.abort("not root");
    }
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void runsAJobAsItsOwner(Path supervisor) throws Exception {
    try (ExecutionFolder place =
        new ExecutionFolder(directory, directory.resolve("spool"), supervisor, false)) {
      LocalExecution execution = place.open();
      Path his = Files.createDirectory(directory.resolve("his"));
      assertEquals(0, shell("chown " + OTHER + " " + his));
      String script =
          "id -un; id -gn; id -Gn; echo $HOME $LOGNAME; touch $TMPDIR/x; stat -c %U $TMPDIR $0";
      RunFiles files = new RunFiles(his + "/out", his + "/err", "n", 027);
      RunRequest request = ExecutionFolder.withFiles(place.script("1.vm", script), files);
      execution.start(ExecutionFolder.withOwner(request, new RunOwner(OTHER, "")));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(0, outcome.exitStatus(), outcome.message());
      assertEquals("", Files.readString(his.resolve("err")));
      assertEquals("", outcome.message());
      String home = output("getent passwd " + OTHER + " | cut -d: -f6");
      String group = output("id -gn " + OTHER);
      String groups = output("id -Gn " + OTHER);
      assertEquals(
          List.of(OTHER, group, groups, home + " " + OTHER, OTHER, OTHER),
          Files.readAllLines(his.resolve("out")));
      assertEquals(OTHER, Files.getOwner(his.resolve("out")).getName());
      assertFalse(Files.exists(directory.resolve("tmp/pbs.1.vm")));
    }
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void deliversWithTheOwnersRightsOnly(Path supervisor) throws Exception {
    try (ExecutionFolder place =
        new ExecutionFolder(directory, directory.resolve("spool"), supervisor, false)) {
      LocalExecution execution = place.open();
      Path secret = Files.writeString(directory.resolve("secret"), "root's\n");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
      Path his = Files.createDirectory(directory.resolve("his"));
      assertEquals(0, shell("chown " + OTHER + " " + his));
      Files.createSymbolicLink(his.resolve("out"), secret);
      RunFiles files = new RunFiles(his + "/out", his + "/err", "n", 077);
      RunRequest request =
          ExecutionFolder.withFiles(place.script("1.vm", "echo overwritten"), files);
      execution.start(ExecutionFolder.withOwner(request, new RunOwner(OTHER, "")));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals("root's\n", Files.readString(secret));
      assertTrue(outcome.message().contains("output kept in"), outcome.message());
      assertEquals("overwritten\n", Files.readString(place.spool.resolve("undelivered/1.vm.1.OU")));
    }
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void refusesJobsOfRootAndStrangeGroups(Path supervisor) throws Exception {
    try (ExecutionFolder place =
        new ExecutionFolder(directory, directory.resolve("spool"), supervisor, false)) {
      LocalExecution execution = place.open();
      execution.start(place.script("1.vm", "exit 0"));
      RunOutcome root = place.outcome("1.vm");
      assertEquals(-10, root.exitStatus());
      assertTrue(root.message().startsWith("Bad UID for job execution"), root.message());
      RunOwner stranger = new RunOwner(OTHER, "root");
      execution.start(ExecutionFolder.withOwner(place.script("2.vm", "exit 0"), stranger));
      assertEquals(-10, place.outcome("2.vm").exitStatus());
    }
  }

  @ParameterizedTest
  @MethodSource("supervisors")
  void losesNoOutcomeOnAFullDisk(Path supervisor) throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Assumptions.assumeTrue(
        shell("mount -t tmpfs -o size=1m,mode=755 tmpfs " + disk) == 0, "cannot mount a tmpfs");
    try (ExecutionFolder place =
        new ExecutionFolder(directory, disk.resolve("spool"), supervisor, true)) {
      LocalExecution execution = place.open();
      Path up = directory.resolve("up");
      Path go = directory.resolve("go");
      execution.start(
          place.script(
              "1.vm", "echo $$ >" + up + "; until [ -e " + go + " ]; do sleep 0.05; done; exit 5"));
      place.awaitFile(up);
      Path filler = disk.resolve("filler");
      shell("cat /dev/zero >" + filler + " 2>/dev/null");
      Files.writeString(go, "go");
      // The outcome is begun, and has no room: its supervisor waits from here on.
      Path begun = disk.resolve("spool/runs/1.vm.1/outcome.tmp");
      await().atMost(Duration.ofSeconds(180)).until(() -> Files.exists(begun));
      assertTrue(place.finished.isEmpty(), "an outcome without room");
      Files.delete(filler);
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(5, outcome.exitStatus());
      assertTrue(outcome.message().contains("disk full"), outcome.message());

      RunRequest flood = place.script("2.vm", "head -c 4000000 /dev/zero; exit 6");
      execution.start(flood);
      RunOutcome flooded = place.outcome("2.vm");
      assertEquals(6, flooded.exitStatus());
      assertTrue(flooded.message().contains("disk full"), flooded.message());
    } finally {
      assertEquals(0, shell("umount -l " + disk));
    }
  }

  private static int shell(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start().waitFor();
  }

  private static String output(String command) throws IOException {
    Process process = new ProcessBuilder("/bin/sh", "-c", command).start();
    return new String(process.getInputStream().readAllBytes()).strip();
  }
}
