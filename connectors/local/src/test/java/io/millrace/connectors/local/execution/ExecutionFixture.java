package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An execution under one of the supervisors, for the ordinary user of the test. */
abstract class ExecutionFixture {
  static final boolean NIGHT = Boolean.getBoolean("millrace.night");

  @TempDir Path directory;
  ExecutionFolder place;
  LocalExecution execution;

  abstract Path supervisor() throws IOException, InterruptedException;

  @BeforeEach
  void open() throws Exception {
    place = new ExecutionFolder(directory, directory.resolve("spool"), supervisor(), true);
    execution = place.open();
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  RunOutcome run(RunRequest request) throws Exception {
    assertTrue(execution.start(request));
    return place.outcome(request.id().jobId());
  }

  FinishedRun ended(RunRequest request) throws Exception {
    assertTrue(execution.start(request));
    return place.end(request.id());
  }

  RunRequest task(int number, int place, String line) {
    RunRequest plain =
        this.place.request(
            "1.vm", new RunProgram.TaskProgram(List.of("/bin/sh", "-c", line), place, true));
    RunFiles files =
        new RunFiles(
            this.place.out("1.vm") + "." + number,
            this.place.err("1.vm") + "." + number,
            "n",
            0077);
    return new RunRequest(
        new RunId("1.vm", 1, number),
        plain.owner(),
        plain.program(),
        plain.context(),
        files,
        plain.terms());
  }

  void site(String name, String text, String mode) throws IOException {
    Path file = Files.writeString(place.spool.resolve("site").resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  static long lines(Path file) throws Exception {
    return Files.readAllLines(file).size();
  }

  /** Holds whenever one looks, for as long as that. */
  static void stays(Duration time, Callable<Boolean> condition) {
    await().during(time).atMost(time.plusSeconds(90)).until(condition);
  }

  static void signal(long pid, String name) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
  }

  /** How many runs the burst has. */
  int many() {
    return NIGHT ? 500 : 150;
  }

  RunRequest command(String jobId, String... words) {
    return place.request(jobId, new RunProgram.CommandProgram(List.of(words)));
  }

  static boolean alive(long pid) throws IOException {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException e) {
      return false; // no such process
    }
  }
}
