package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.spool.Spool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where output goes, and that temporary directories do not stay. */
abstract class OutputContract extends EnvironmentContract {
  @Test
  @ShellAtNight
  void whatATaskPrintsGoesWithTheReportOfItsEndOrBesideTheJobsOutput() throws Exception {
    RunRequest little =
        task(3, 1, "echo $PBS_NODENUM $PBS_TASKNUM $PBS_JOBID; printf '\\377' >&2; exit 4");
    assertTrue(execution.start(little));
    assertFalse(execution.start(little), "once");
    FinishedRun end = place.end(little.id());
    assertEquals(4, end.outcome().exitStatus(), end.outcome().message());
    assertEquals("1 4 1.vm\n", new String(end.printed().output(), StandardCharsets.UTF_8));
    assertEquals(-1, end.printed().error()[0]);
    RunRequest much = task(4, 0, "head -c 20000 /dev/zero; echo x >&2");
    assertTrue(execution.start(much));
    end = place.end(much.id());
    assertEquals(0, end.printed().output().length);
    Path delivered = Path.of(place.out("1.vm") + ".4");
    assertEquals(20_000, Files.size(delivered));
    assertTrue(end.outcome().message().contains("20000 bytes of output are in " + delivered));
    RunRequest silent = task(5, 0, "true");
    assertTrue(execution.start(silent));
    assertEquals(0, place.end(silent.id()).printed().output().length);
    assertFalse(Files.exists(Path.of(place.out("1.vm") + ".5")));
    for (RunRequest ended : List.of(little, much, silent)) {
      execution.release(ended.id());
    }
    assertEquals(List.of(), Spool.list(place.spool.resolve("spool")));
  }

  @Test
  @ShellAtNight
  void whatATaskPrintedThatWasEndedIsDelivered() throws Exception {
    RunRequest task = task(2, 0, "echo begun; exec sleep 60");
    assertTrue(execution.start(task));
    Path spooled = place.spool.resolve("spool/1.vm.1-2.OU");
    place.awaitFile(spooled);
    assertTrue(execution.kill(task.id(), 9));
    FinishedRun end = place.end(task.id());
    assertEquals(265, end.outcome().exitStatus());
    assertEquals("begun\n", Files.readString(Path.of(place.out("1.vm") + ".2")));
    assertEquals(0, end.printed().output().length);
  }

  @Test
  @ShellAtNight
  void theReportOfATaskOutlivesItsReader() throws Exception {
    RunRequest task = task(1, 0, "echo kept");
    assertTrue(execution.start(task));
    place.end(task.id());
    execution.close();
    place.finished.clear();
    execution = place.open();
    assertEquals(
        "kept\n", new String(place.end(task.id()).printed().output(), StandardCharsets.UTF_8));
  }

  @Test
  @ShellAtNight
  void theReportOfATaskComesOnceWhatItPrintedCanBeRead() throws Exception {
    Path printed = place.spool.resolve("spool/1.vm.1-7.OU");
    Path away = directory.resolve("away");
    String hide = "echo kept; mv " + printed + " " + away + "; ln -s " + printed + " " + printed;
    RunRequest task = task(7, 0, hide);
    assertTrue(execution.start(task));
    place.awaitFile(place.spool.resolve("runs/1.vm.1-7/outcome"));
    // The execution looks meanwhile, and cannot read what leads to itself.
    stays(Duration.ofMillis(500), () -> place.finished.isEmpty());
    // At once: where no file is, nothing was printed.
    Files.move(away, printed, StandardCopyOption.ATOMIC_MOVE);
    assertEquals(
        "kept\n", new String(place.end(task.id()).printed().output(), StandardCharsets.UTF_8));
  }

  @Test
  @ShellAtNight
  void removesTheTemporaryDirectoryWithAllThatIsInIt() throws Exception {
    run(
        place.script(
            "1.vm", "mkdir -p $TMPDIR/a/b; touch $TMPDIR/a/b/c $TMPDIR/.d; chmod 0 $TMPDIR/a/b/c"));
    assertFalse(Files.exists(place.directory.resolve("tmp/pbs.1.vm")));
  }

  @Test
  @ShellAtNight
  void nobodyCanTakeTheNameOfATemporaryDirectory() throws Exception {
    Path taken = Files.createDirectories(place.directory.resolve("tmp/pbs.1.vm"));
    Files.writeString(taken.resolve("theirs"), "kept");
    Path link = place.directory.resolve("tmp/pbs.2.vm");
    Files.createSymbolicLink(link, taken);
    Files.writeString(place.directory.resolve("tmp/pbs.3.vm"), "a file");
    for (String id : List.of("1.vm", "2.vm", "3.vm")) {
      RunOutcome outcome = run(place.script(id, "echo $TMPDIR; ls -A $TMPDIR; touch $TMPDIR/mine"));
      assertEquals(0, outcome.exitStatus(), outcome.message());
      List<String> lines = Files.readAllLines(place.out(id));
      assertEquals(1, lines.size(), "it is empty: " + lines);
      assertTrue(lines.get(0).startsWith(place.directory + "/tmp/pbs." + id + "."), lines.get(0));
      assertFalse(Files.exists(Path.of(lines.get(0))), "it is removed");
    }
    assertEquals(List.of(taken.resolve("theirs")), Spool.list(taken));
  }

  @Test
  void deliversOutputWhereItWasAskedFor() throws Exception {
    Files.writeString(place.out("1.vm"), "something that was there before and is longer\n");
    run(place.script("1.vm", "echo out; echo err >&2"));
    assertEquals("out\n", Files.readString(place.out("1.vm")));
    assertEquals("err\n", Files.readString(place.err("1.vm")));

    String text = "echo one; echo two >&2; echo three";
    RunFiles oe =
        new RunFiles(place.out("2.vm").toString(), place.err("2.vm").toString(), "oe", 022);
    run(ExecutionFolder.withFiles(place.script("2.vm", text), oe));
    assertEquals("one\ntwo\nthree\n", Files.readString(place.out("2.vm")));
    assertFalse(Files.exists(place.err("2.vm")));

    RunFiles eo =
        new RunFiles(place.out("3.vm").toString(), place.err("3.vm").toString(), "eo", 022);
    run(ExecutionFolder.withFiles(place.script("3.vm", text), eo));
    assertEquals("one\ntwo\nthree\n", Files.readString(place.err("3.vm")));
    assertFalse(Files.exists(place.out("3.vm")));

    Path target = Files.createDirectory(place.directory.resolve("results"));
    RunFiles intoDirectory = new RunFiles("here:" + target, "here:" + target, "n", 022);
    run(ExecutionFolder.withFiles(place.script("4.vm", text), intoDirectory));
    assertEquals("one\nthree\n", Files.readString(target.resolve("4.vm.OU")));
    assertEquals("two\n", Files.readString(target.resolve("4.vm.ER")));
  }

  @Test
  @ShellAtNight
  void keepsOutputThatCannotBeDelivered() throws Exception {
    RunFiles nowhere = new RunFiles("/no/such/dir/out", place.err("1.vm").toString(), "n", 077);
    RunOutcome outcome =
        run(ExecutionFolder.withFiles(place.script("1.vm", "echo precious"), nowhere));
    assertEquals(0, outcome.exitStatus());
    Path kept = place.spool.resolve("undelivered/1.vm.1.OU");
    assertEquals("precious\n", Files.readString(kept));
    assertTrue(outcome.message().contains("output kept in " + kept), outcome.message());
    assertTrue(outcome.message().contains("/no/such/dir/out"), outcome.message());
  }

  @Test
  @ShellAtNight
  void refusesAStartWithoutItsDirectoryOutputOrShell() throws Exception {
    RunRequest plain = place.script("1.vm", "echo begun");
    Path gone = place.directory.resolve("gone");
    RunOutcome outcome = run(ExecutionFolder.withCheckedStart(plain, gone.toString(), "/bin/sh"));
    assertEquals(-1, outcome.exitStatus());
    assertEquals(RunOutcome.RunEndReason.REFUSED, outcome.reason());
    assertTrue(
        outcome
            .message()
            .matches(
                "\\[\\d+:\\d+]: error: can't chdir to " + gone + ": No such file or directory"),
        outcome.message());
    String here = place.directory.toString();
    RunFiles nowhere = new RunFiles(gone + "/out", place.err("2.vm").toString(), "n", 077);
    outcome =
        run(
            ExecutionFolder.withCheckedStart(
                ExecutionFolder.withFiles(place.script("2.vm", "echo begun"), nowhere),
                here,
                "/bin/sh"));
    assertEquals(-1, outcome.exitStatus());
    assertTrue(
        outcome
            .message()
            .endsWith(
                ": error: can't open output file \"" + gone + "/out\": No such file or directory"),
        outcome.message());
    outcome =
        run(
            ExecutionFolder.withCheckedStart(
                place.script("3.vm", "echo begun"), here, gone + "/sh"));
    assertEquals(-1, outcome.exitStatus());
    assertTrue(
        outcome.message().endsWith(": unable to find shell \"" + gone + "/sh\""),
        outcome.message());
    outcome =
        run(ExecutionFolder.withCheckedStart(command("5.vm", gone + "/sh", "-c", "true"), "", ""));
    assertTrue(
        outcome.message().endsWith(": unable to find shell \"" + gone + "/sh\""),
        outcome.message());
    outcome =
        run(
            ExecutionFolder.withCheckedStart(
                place.script("4.vm", "echo begun; pwd -P"), here, "/bin/sh"));
    assertEquals(0, outcome.exitStatus());
    assertEquals(
        "begun\n" + place.directory.toRealPath() + "\n", Files.readString(place.out("4.vm")));
  }

  @Test
  @ShellAtNight
  void removesTheTemporaryDirectoryOfASupervisorThatWasKilledBeforeItsClaim() throws Exception {
    execution.close();
    RunRequest request = place.script("1.vm", "echo $TMPDIR");
    assertTrue(Spool.open(place.spool).create(request, place.settings()));
    Path left = Files.createDirectory(place.directory.resolve("tmp/pbs.1.vm.x7Hq2a"));
    Files.writeString(place.spool.resolve("runs/1.vm.1/tmpdir"), left + "\n");
    execution = place.open();
    assertEquals(0, place.outcome("1.vm").exitStatus());
    assertEquals(place.directory + "/tmp/pbs.1.vm\n", Files.readString(place.out("1.vm")));
    assertEquals(List.of(), Spool.list(place.directory.resolve("tmp")));
    assertEquals(
        place.directory + "/tmp/pbs.1.vm\n",
        Files.readString(place.spool.resolve("runs/1.vm.1/tmpdir")));
  }

  @Test
  @ShellAtNight
  void removesTheTemporaryDirectoryOfARunWhoseClaimDoesNotNameIt() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(place.script("1.vm", "touch $TMPDIR/mine; echo >" + up + "; sleep 300"));
    place.awaitFile(up);
    execution.close();
    Path claim = place.spool.resolve("runs/1.vm.1/started");
    List<String> fields = Files.readAllLines(claim);
    Spool spool = Spool.open(place.spool);
    long pid = spool.fields(new RunId("1.vm", 1), "started").orElseThrow().number("supervisor_pid");
    signal(pid, "KILL");
    await().atMost(Duration.ofSeconds(180)).until(() -> !alive(pid));
    assertTrue(fields.removeIf(line -> line.startsWith("tmpdir=")));
    Files.write(claim, fields);
    execution = place.open();
    assertEquals(-4, place.outcome("1.vm").exitStatus());
    assertEquals(List.of(), Spool.list(place.directory.resolve("tmp")));
  }
}
