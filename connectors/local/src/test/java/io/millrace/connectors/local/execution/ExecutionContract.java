package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.connectors.local.spool.Spool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What both supervisors must do for the ordinary user of the test: all of the contracts above, and
 * how runs end, are lost and follow one another.
 */
abstract class ExecutionContract extends OrderContract {
  @Test
  void endsARunThatIsDeleted() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(
        place.script(
            "1.vm",
            "trap 'echo bye; exit 3' TERM; echo $$ >" + up + "; while :; do sleep 0.05; done"));
    place.awaitFile(up);
    assertTrue(execution.kill(new RunId("1.vm", 1), 15));
    assertEquals(3, place.outcome("1.vm").exitStatus());
    assertEquals("bye\n", Files.readString(place.out("1.vm")));

    execution.start(place.script("2.vm", "echo $$ >" + up + "2; sleep 60"));
    place.awaitFile(Path.of(up + "2"));
    assertTrue(execution.kill(new RunId("2.vm", 1), 15));
    assertEquals(271, place.outcome("2.vm").exitStatus());
    assertFalse(execution.kill(new RunId("2.vm", 1), 15), "it is over");
    assertFalse(execution.kill(new RunId("3.vm", 1), 15), "it never was");
  }

  @Test
  @ShellAtNight
  void aRunThatWasGivenUpEndsAtOnceAndDeliversNothing() throws Exception {
    Path up = place.directory.resolve("up");
    String script = "trap '' TERM; echo aborted; echo $$ >%s; while :; do sleep 0.05; done";
    RunRequest request = place.script("1.vm", script.formatted(up));
    assertTrue(execution.start(ExecutionFolder.withTerms(request, 0, 60)));
    place.awaitFile(up);
    assertTrue(execution.kill(request.id(), 15), "somebody wanted to delete it before");
    Files.writeString(place.out("1.vm"), "what the next run printed\n");
    assertTrue(execution.discard(request.id()));
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(265, outcome.exitStatus());
    assertEquals("what the next run printed\n", Files.readString(place.out("1.vm")));
    Path kept = place.spool.resolve("undelivered/1.vm.1.OU");
    assertEquals("aborted\n", Files.readString(kept));
    assertTrue(outcome.message().contains("output kept in " + kept), outcome.message());
    assertFalse(Files.exists(place.spool.resolve("undelivered/1.vm.1.ER")), "it is empty");
    assertFalse(execution.discard(request.id()), "it is over");

    RunRequest task = task(2, 0, "echo begun; exec sleep 60");
    assertTrue(execution.start(task));
    place.awaitFile(place.spool.resolve("spool/1.vm.1-2.OU"));
    assertTrue(execution.discard(task.id()));
    assertEquals(0, place.end(task.id()).printed().output().length);
    assertFalse(Files.exists(Path.of(place.out("1.vm") + ".2")));
  }

  private static RunRequest asRun(RunRequest r, int run) {
    RunId id = new RunId(r.id().jobId(), run);
    return new RunRequest(id, r.owner(), r.program(), r.context(), r.files(), r.terms());
  }

  @Test
  @ShellAtNight
  void aRunWaitsForTheEarlierOnesOfItsJob() throws Exception {
    Path up = place.directory.resolve("up");
    String script = "trap '' TERM; echo $$ >%s; while :; do sleep 0.05; done";
    RunRequest first = place.script("1.vm", script.formatted(up));
    assertTrue(execution.start(first));
    place.awaitFile(up);
    Path both = place.directory.resolve("both");
    Path next = place.directory.resolve("next");
    String look = "kill -0 $(cat %s) && echo >%s; echo >%s".formatted(up, both, next);
    RunRequest second = asRun(place.script("1.vm", look), 2);
    RunRequest third = asRun(second, 3);
    assertTrue(execution.start(second));
    assertTrue(execution.start(third));
    assertEquals(0, run(place.script("2.vm", "exit 0")).exitStatus(), "others do not wait");
    assertTrue(execution.kill(third.id(), 15));
    assertEquals(RunOutcome.RunEndReason.CANCELLED, place.end(third.id()).outcome().reason());
    assertEquals(List.of(first.id()), execution.begun().stream().map(StartedRun::id).toList());

    execution.close();
    execution = place.open();
    // Nor does another executor let it begin.
    stays(Duration.ofSeconds(1), () -> !Files.exists(next));
    assertEquals(List.of(first.id()), execution.begun().stream().map(StartedRun::id).toList());
    assertTrue(execution.discard(first.id()));
    assertEquals(0, place.end(second.id()).outcome().exitStatus());
    assertTrue(Files.exists(next));
    assertFalse(Files.exists(both));
  }

  @Test
  @ShellAtNight
  void aRunThatIsBuriedDoesNotReplaceWhatCameLater() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(place.script("1.vm", "echo begun; echo $$ >" + up + "; sleep 300"));
    place.awaitFile(up);
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(place.spool.resolve("runs/1.vm.1/started"));
    // File systems may count seconds.
    long begunS = Files.getLastModifiedTime(up).to(TimeUnit.SECONDS);
    Path clock = place.directory.resolve("clock");
    await()
        .until(
            () ->
                Files.getLastModifiedTime(Files.writeString(clock, "x")).to(TimeUnit.SECONDS)
                    > begunS + 1);
    Files.writeString(place.out("1.vm"), "what the next run printed\n");
    long pid = Spool.open(place.spool).fields(id, "started").orElseThrow().number("supervisor_pid");
    signal(pid, "KILL");
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(RunOutcome.RunEndReason.LOST, outcome.reason());
    assertEquals("what the next run printed\n", Files.readString(place.out("1.vm")));
    assertEquals("begun\n", Files.readString(place.spool.resolve("undelivered/1.vm.1.OU")));
    assertTrue(outcome.message().contains("written since the run began"), outcome.message());
  }

  @Test
  void leavesNoProcessBehind() throws Exception {
    Path pids = place.directory.resolve("pids");
    run(
        place.script(
            "1.vm",
            "for i in 1 2 3; do sleep 300 & echo $! >>"
                + pids
                + "; done; (trap '' TERM HUP; sleep 301) & exit 0"));
    for (String pid : Files.readAllLines(pids)) {
      assertFalse(alive(Long.parseLong(pid)), "process " + pid);
    }
  }

  @Test
  void buriesARunWhoseSupervisorWasKilled() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(place.script("1.vm", "echo begun; echo $$ >" + up + "; sleep 300"));
    place.awaitFile(up);
    place.awaitFile(place.spool.resolve("runs/1.vm.1/started"));
    long job = Long.parseLong(Files.readString(up).strip());
    Spool spool = Spool.open(place.spool);
    long pid = spool.fields(new RunId("1.vm", 1), "started").orElseThrow().number("supervisor_pid");
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(-4, outcome.exitStatus());
    assertEquals(RunOutcome.RunEndReason.LOST, outcome.reason());
    assertFalse(alive(job), "the job must not outlive its report");
    assertEquals("begun\n", Files.readString(place.out("1.vm")));
  }

  /** As at the shutdown of a host, which asks all processes to end. */
  @Test
  void aRunThatEndsWithItsHostMayRunAgain() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(
        place.script("1.vm", "trap 'echo told; exit 0' TERM; echo >" + up + "; sleep 300 & wait"));
    place.awaitFile(up);
    place.awaitFile(place.spool.resolve("runs/1.vm.1/started"));
    Spool spool = Spool.open(place.spool);
    long pid = spool.fields(new RunId("1.vm", 1), "started").orElseThrow().number("supervisor_pid");
    signal(pid, "TERM");
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(-11, outcome.exitStatus());
    assertTrue(outcome.message().contains("told to stop"), outcome.message());
    assertEquals("told\n", Files.readString(place.out("1.vm")));
  }

  @Test
  @ShellAtNight
  void theEpilogueFollowsALostRunThatHasNoFiles() throws Exception {
    Path up = place.directory.resolve("up");
    Path after = place.directory.resolve("after");
    site(
        "epilogue", "#!/bin/sh\necho after $1; echo $1 >&2; echo $1 >" + after + "\n", "rwx------");
    RunFiles none = new RunFiles("/dev/null", "/dev/null", "n", 077);
    execution.start(
        ExecutionFolder.withFiles(place.script("1.vm", "echo $$ >" + up + "; sleep 300"), none));
    place.awaitFile(up);
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(place.spool.resolve("runs/1.vm.1/started"));
    for (String left : List.of("OU", "ER")) { // where a supervisor makes them for all the same
      Files.deleteIfExists(place.spool.resolve("spool/1.vm.1." + left));
    }
    signal(
        Spool.open(place.spool).fields(id, "started").orElseThrow().number("supervisor_pid"),
        "KILL");
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(RunOutcome.RunEndReason.LOST, outcome.reason());
    assertFalse(outcome.message().contains("epilogue"), outcome.message());
    assertEquals("1.vm\n", Files.readString(after));
  }

  @Test
  void startsAKnownRunOnce() throws Exception {
    RunRequest request = place.script("1.vm", "echo run >>" + place.directory + "/runs");
    assertTrue(execution.start(request));
    assertFalse(execution.start(request));
    place.outcome("1.vm");
    assertFalse(execution.start(request));
    execution.close();
    execution = place.open();
    assertFalse(execution.start(request));
    assertEquals(List.of("run"), Files.readAllLines(place.directory.resolve("runs")));
  }

  @Test
  @ShellAtNight
  void forgetsAReleasedRun() throws Exception {
    run(place.script("1.vm", "exit 0"));
    execution.release(new RunId("1.vm", 1));
    assertFalse(execution.knows(new RunId("1.vm", 1)));
    assertFalse(Files.exists(place.spool.resolve("runs/1.vm.1")));
    execution.start(place.script("2.vm", "sleep 60"));
    assertThrows(IllegalStateException.class, () -> execution.release(new RunId("2.vm", 1)));
    place.finished.clear();
  }

  @Test
  @ShellAtNight
  void refusesAnUnknownUser() throws Exception {
    RunRequest request = place.script("1.vm", "exit 0");
    RunOutcome outcome = run(ExecutionFolder.withOwner(request, new RunOwner("no-such-user", "")));
    assertEquals(-10, outcome.exitStatus());
    assertEquals(RunOutcome.RunEndReason.REFUSED, outcome.reason());
    assertTrue(outcome.message().contains("no user no-such-user"), outcome.message());
  }

  @Test
  @ShellAtNight
  void doesManyAtOnce() throws Exception {
    int count = many();
    Path file = place.directory.resolve("ids");
    for (int i = 1; i <= count; i++) {
      execution.start(place.script(i + ".vm", "echo $PBS_JOBID >>" + file + "; exit " + i % 5));
    }
    await().atMost(Duration.ofSeconds(180)).until(() -> place.finished.size() == count);
    assertEquals(count, Files.readAllLines(file).size());
    assertEquals(count, Files.readAllLines(file).stream().distinct().count());
    assertEquals(count, place.started.size());
    for (FinishedRun end : place.finished) {
      int number = Integer.parseInt(end.id().jobId().replace(".vm", ""));
      assertEquals(number % 5, end.outcome().exitStatus(), end.toString());
      execution.release(end.id());
    }
    assertEquals(List.of(), execution.runs());
    place.finished.clear();
  }
}
