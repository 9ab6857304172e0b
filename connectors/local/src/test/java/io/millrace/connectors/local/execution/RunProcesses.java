package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;

import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The processes of a run as the kernel tells of them: whether a run stands still is no matter of
 * how long nothing was seen of it.
 *
 * @param session of the run; its first process has the same number
 */
record RunProcesses(long session) {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** Those of a run that has been claimed, or is about to be. */
  static RunProcesses of(ExecutionFolder place, RunId id) throws IOException {
    place.awaitFile(place.spool.resolve("runs").resolve(id.directoryName()).resolve("started"));
    Spool spool = Spool.open(place.spool);
    return new RunProcesses(spool.fields(id, "started").orElseThrow().number("session"));
  }

  /** Waits until all of them are stopped. */
  void awaitStandstill(String why) {
    await(why).atMost(PATIENCE).until(this::standStill);
  }

  /** Whether all of them are stopped; only a signal from outside starts them again then. */
  boolean standStill() throws IOException {
    // The second look sees who was forked during the first.
    return allStopped() && allStopped();
  }

  private boolean allStopped() throws IOException {
    List<String> states = states();
    return !states.isEmpty() && states.stream().allMatch("T"::equals);
  }

  /** Waits until a signal has been sent to the first one, which cannot take it while it stands. */
  void awaitPending(int signal) {
    await("signal " + signal).atMost(PATIENCE).until(() -> pending(signal));
  }

  /** Whether a signal that was sent to the first one waits to be taken. */
  boolean pending(int signal) throws IOException {
    String mask =
        Files.readAllLines(Path.of("/proc/" + session + "/status")).stream()
            .filter(line -> line.startsWith("ShdPnd:"))
            .findFirst()
            .orElseThrow()
            .substring("ShdPnd:".length());
    return (Long.parseUnsignedLong(mask.strip(), 16) >> (signal - 1) & 1) == 1;
  }

  private List<String> states() throws IOException {
    return Spool.list(Path.of("/proc")).stream()
        .filter(it -> it.getFileName().toString().matches("\\d+"))
        .map(RunProcesses::stat)
        .flatMap(Optional::stream)
        .filter(it -> it[3].equals(Long.toString(session)) && !it[0].equals("Z"))
        .map(it -> it[0])
        .toList();
  }

  /** State, parent, process group, session and what follows; empty when it has ended meanwhile. */
  private static Optional<String[]> stat(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" "));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
