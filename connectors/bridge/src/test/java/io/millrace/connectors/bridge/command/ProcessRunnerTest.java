package io.millrace.connectors.bridge.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessRunnerTest {

  @TempDir Path folder;

  private static OutsideAnswer run(String input, long limitMs, int most, String... words)
      throws InterruptedException {
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                List.of(words),
                input.getBytes(StandardCharsets.UTF_8),
                Map.of("GIVEN", "a b"),
                Duration.ofMillis(limitMs),
                most));
  }

  @Test
  void aWholeAnswer() throws InterruptedException {
    OutsideAnswer answer = run("in é\n", 10_000, 1000, "/bin/sh", "-c", "cat; echo no >&2; exit 3");
    assertEquals(ProcessEnding.EXITED, answer.ending());
    assertEquals(3, answer.status());
    assertEquals("in é\n", answer.out());
    assertEquals("no", answer.trouble());
  }

  @Test
  void nothingOfOurEnvironmentComesAlong() throws InterruptedException {
    String found = run("", 10_000, 10_000, "/usr/bin/env").out();
    assertTrue(found.contains("GIVEN=a b\n"), found);
    assertFalse(found.contains("HOME="), found);
  }

  @Test
  void itEndsAtItsLimitWithAllThatItStarted() throws InterruptedException {
    OutsideAnswer answer = run("", 300, 1000, "/bin/sh", "-c", "sleep 77 & echo $!; wait");
    assertEquals(ProcessEnding.TIMED_OUT, answer.ending());
    long child = Long.parseLong(answer.out().strip());
    // It is gone once the host's first process has seen its end.
    ProcessHandle.of(child).ifPresent(it -> it.onExit().orTimeout(10, TimeUnit.SECONDS).join());
  }

  /** One that nobody here waits for is seen all the same, by a whole word of it. */
  @Test
  void whatIsUnderWayIsSeenByItsWords() throws Exception {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", "read line", "sh", "--comment=mr.c1.12.1", "-t", "7.8")
            .start();
    ProcessRunner runner = new ProcessRunner();
    assertTrue(runner.isUnderWay("alice", "mr.c1.12.1"));
    assertTrue(runner.isUnderWay("alice", "7.8"));
    assertFalse(runner.isUnderWay("alice", "mr.c1.12"));
    assertFalse(runner.isUnderWay("alice", "c1.12.1"));
    process.getOutputStream().close();
    process.waitFor();
    assertFalse(runner.isUnderWay("alice", "mr.c1.12.1"));
  }

  /** Who names his process like a run of another keeps that waiting for nothing. */
  @Test
  void aProcessOfAStrangerIsNoSubmission() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root becomes another");
    Process process =
        new ProcessBuilder(
                "/usr/bin/setpriv",
                "--reuid=65534",
                "--clear-groups",
                "/bin/sh",
                "-c",
                "echo; read line",
                "sh",
                "mr.c1.13.1")
            .start();
    process.getInputStream().read();
    ProcessRunner runner = new ProcessRunner();
    assertFalse(runner.isUnderWay("alice", "mr.c1.13.1"));
    assertTrue(runner.isUnderWay("nobody", "mr.c1.13.1"));
    process.getOutputStream().close();
    process.waitFor();
  }

  /** As su, which is root's while it asks a stranger for a password. */
  @Test
  void aProgramThatBecomesRootForAStrangerIsNoSubmission() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root becomes another");
    Process process =
        new ProcessBuilder(
                "/usr/bin/setpriv",
                "--ruid=65534",
                "--clear-groups",
                "/bin/bash",
                "-p",
                "-c",
                "echo; read line",
                "bash",
                "mr.c1.14.1")
            .start();
    process.getInputStream().read();
    assertFalse(new ProcessRunner().isUnderWay("alice", "mr.c1.14.1"));
    process.getOutputStream().close();
    process.waitFor();
  }

  /** Our sudo is root's before it becomes the account; that of a stranger is not ours for that. */
  @ParameterizedTest
  @CsvSource({
    "Uid:\t1001\t0\t0\t0, false, true",
    "Uid:\t1002\t0\t0\t0, false, false",
    "Uid:\t1002\t0\t0\t0, true, false",
    "Uid:\t1002\t1002\t1002\t1002, true, true",
    "Uid:\t1002\t1002\t1002\t1002, false, false",
    "Gid:\t1001\t1001\t1001\t1001, true, false",
  })
  void whatWeHaveBegunIsOurs(String line, boolean isOwners, boolean is) {
    assertEquals(is, ProcessRunner.isOf(line, isOwners, "1001"));
  }

  /** As sudo while it looks into its rules: root's altogether, and begun by us all the same. */
  @Test
  void whatIsRootsAltogetherIsOursInOurSessionOnly() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root becomes another");
    Path file = folder.resolve("sessions");
    OwnSessions.open(file);
    String[] words = {"/bin/sh", "-c", "echo; read line", "sh", "mr.c1.16.1"};
    Process ours = new ProcessBuilder(words).start();
    List<String> apart = new ArrayList<>(List.of("/usr/bin/setsid"));
    apart.addAll(List.of(words));
    Process others = new ProcessBuilder(apart).start();
    others.getInputStream().read();
    ours.getInputStream().read();
    // Those who come later know it by the file, whatever their own session is.
    OwnSessions known = OwnSessions.open(file);
    assertTrue(known.has(Path.of("/proc/" + ours.pid())));
    assertFalse(known.has(Path.of("/proc/" + others.pid())));
    List<String> lines = Files.readAllLines(file);
    Files.write(file, List.of(lines.get(0), "" + others.pid(), "1" + others.pid()));
    assertTrue(OwnSessions.open(file).has(Path.of("/proc/" + others.pid())));
    assertFalse(Files.readAllLines(file).contains("1" + others.pid()), "where nothing lives");
    Files.write(file, List.of("another boot", "" + others.pid()));
    assertFalse(OwnSessions.open(file).has(Path.of("/proc/" + others.pid())));
    for (Process each : List.of(ours, others)) {
      each.getOutputStream().close();
      each.waitFor();
    }
    assertTrue(ProcessRunner.isRoots("Uid:\t0\t0\t0\t0"));
    assertTrue(ProcessRunner.isRoots("Uid:\t0\t1\t0\t1"), "it reads its rules as another");
    assertFalse(ProcessRunner.isRoots("Uid:\t1002\t0\t0\t0"));
    assertFalse(ProcessRunner.isRoots("Gid:\t0\t0\t0\t0"));
  }

  @Test
  void moreThanTheBoundIsNoAnswer() throws InterruptedException {
    OutsideAnswer answer = run("", 20_000, 1000, "/usr/bin/yes");
    assertEquals(ProcessEnding.TOO_LONG, answer.ending());
    assertEquals(1000, answer.out().length());
    assertTrue(answer.trouble().contains("'output_most_mib'"), answer.trouble());
  }

  @Test
  void aHundredMegabytesAreReadWithinTheirBound() throws InterruptedException {
    String[] words = {"/usr/bin/head", "-c", "100000000", "/dev/zero"};
    assertTrue(run("", 20_000, 100_000_000, words).isGood());
    assertEquals(ProcessEnding.TOO_LONG, run("", 20_000, 99_999_999, words).ending());
  }

  @Test
  void whatIsNotThereIsNotStarted() throws InterruptedException {
    OutsideAnswer answer = run("", 1000, 1000, "/no/such/program");
    assertEquals(ProcessEnding.NOT_STARTED, answer.ending());
    assertEquals("/no/such/program: No such file or directory", answer.trouble());
  }

  @Test
  void wordsArePassedAsTheyAre() throws InterruptedException {
    String hostile = "$(id) `id` ; ' \" \n -x *";
    assertEquals(hostile, run("", 10_000, 1000, "/usr/bin/printf", "%s", hostile).out());
  }

  @Test
  void aCommandThatReadsNothingIsNoTrouble() throws InterruptedException {
    assertTrue(run("x".repeat(1 << 20), 10_000, 1000, "/bin/true").isGood());
  }
}
