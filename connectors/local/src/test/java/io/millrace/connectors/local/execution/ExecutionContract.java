package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.report.Samples;
import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.connectors.local.spool.Spool;
import io.millrace.schemas.output.RunSample;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What both supervisors must do for the ordinary user of the test. */
abstract class ExecutionContract {
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

  private RunOutcome run(RunRequest request) throws Exception {
    assertTrue(execution.start(request));
    return place.outcome(request.id().jobId());
  }

  private RunRequest login(String id, RunProgram program) throws Exception {
    return place.withoutProfile(place.request(id, program));
  }

  @Test
  void reportsTheProgramsExitStatus() throws Exception {
    assertEquals(0, run(place.script("1.vm", "exit 0")).exitStatus());
    RunOutcome seven = run(place.script("2.vm", "exit 7"));
    assertEquals(7, seven.exitStatus());
    assertEquals(RunOutcome.Reason.EXITED, seven.reason());
    assertEquals(2, seven.ncpus());
    // More than 128 is a status like any other, not a signal.
    assertEquals(143, run(place.script("3.vm", "exit 143")).exitStatus());
    assertEquals(1, run(command("4.vm", "/bin/false")).exitStatus());
    assertEquals(0, run(command("5.vm", "test", "a b", "=", "a b")).exitStatus());
  }

  @Test
  void reportsASignalAsPbsDoes() throws Exception {
    RunOutcome term = run(place.script("1.vm", "kill -TERM $$"));
    assertEquals(271, term.exitStatus());
    assertEquals(RunOutcome.Reason.SIGNALLED, term.reason());
    assertEquals(265, run(place.script("2.vm", "kill -KILL $$")).exitStatus());
  }

  @Test
  @ShellAtNight
  void saysInTheErrorFileThatSomethingCannotBeExecuted() throws Exception {
    RunProgram badShell = new RunProgram.Script(new byte[0], "/no/such/shell");
    assertEquals(254, run(place.request("1.vm", badShell)).exitStatus());
    assertTrue(Files.readString(place.err("1.vm")).contains("cannot execute /no/such/shell"));
    assertEquals(254, run(command("2.vm", "nosuchcommand")).exitStatus());
    assertTrue(Files.readString(place.err("2.vm")).contains("cannot execute nosuchcommand"));
  }

  @Test
  void givesTheEnvironmentOfAPbsJob() throws Exception {
    RunOutcome outcome =
        run(
            place.script(
                "12.vm",
                "env -0 >"
                    + place.directory
                    + "/env; pwd; cat $PBS_NODEFILE; umask; ls -ld $TMPDIR"));
    assertEquals(0, outcome.exitStatus(), outcome.message());
    Map<String, String> env = variables(place.directory.resolve("env"));
    env.keySet().removeAll(List.of("_", "SHLVL", "PWD", "OLDPWD"));
    Map<String, String> expected = new TreeMap<>();
    String home = System.getProperty("user.home");
    expected.put("ENVIRONMENT", "BATCH");
    expected.put("GREETING", "hello world");
    expected.put("HOME", home);
    expected.put("LOGNAME", ExecutionFolder.USER);
    expected.put("MILLRACE_RUN", "1");
    expected.put("MILLRACE_RUN_DIRECTORY", place.spool + "/runs/12.vm.1");
    expected.put("NCPUS", "2");
    expected.put("OMP_NUM_THREADS", "2");
    expected.put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin");
    expected.put("PBS_ENVIRONMENT", "PBS_BATCH");
    expected.put("PBS_JOBDIR", home);
    expected.put("PBS_JOBID", "12.vm");
    expected.put("PBS_JOBNAME", "test");
    expected.put("PBS_NODEFILE", place.spool + "/runs/12.vm.1/nodes");
    expected.put("PBS_NODENUM", "0");
    expected.put("PBS_QUEUE", "workq");
    expected.put("PBS_TASKNUM", "1");
    expected.put("SHELL", "/bin/bash");
    expected.put("TMPDIR", place.directory + "/tmp/pbs.12.vm");
    expected.put("USER", ExecutionFolder.USER);
    assertEquals(expected, env);
    List<String> lines = Files.readAllLines(place.out("12.vm"));
    assertEquals(List.of(home, "here", "0077"), lines.subList(0, 3));
    assertTrue(lines.get(3).startsWith("drwx------"), lines.get(3));
  }

  /** What {@code env -0} wrote. */
  private static Map<String, String> variables(Path file) throws IOException {
    return List.of(Files.readString(file).split("\0")).stream()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (a, b) -> b, TreeMap::new));
  }

  @Test
  @ShellAtNight
  void whereTheSiteWantsItTheKernelGoesByTheFirstLineOfAScript() throws Exception {
    String text = "#!/bin/cat\nit is shown\n";
    RunProgram script = new RunProgram.Script(text.getBytes(StandardCharsets.UTF_8), "/bin/dash");
    assertEquals(127, run(place.request("1.vm", script)).exitStatus(), "dash has read it");
    site("login_shell", "", "rw-r--r--");
    assertEquals(0, run(place.request("2.vm", script)).exitStatus());
    assertEquals(text, Files.readString(place.out("2.vm")));
  }

  @Test
  @ShellAtNight
  void aScriptWithoutAFirstLineOfThatKindIsItsLoginShellsAndReadsNothing() throws Exception {
    site("login_shell", "", "rw-r--r--");
    String text = "echo ${BASH_VERSION:+bash} $$; ps -o sid= -p $$; cat; exit 6";
    for (String shell : List.of("bash", "dash")) {
      RunProgram script =
          new RunProgram.Script(text.getBytes(StandardCharsets.UTF_8), "/bin/" + shell);
      assertEquals(6, run(login(shell + ".vm", script)).exitStatus());
      String[] said = Files.readString(place.out(shell + ".vm")).strip().split("\\s+");
      assertEquals(shell.equals("bash") ? 3 : 2, said.length, "nothing came by standard input");
      assertEquals(said[said.length - 2], said[said.length - 1], "it is the first of its session");
      assertEquals(shell.equals("bash"), said[0].equals("bash"));
    }
    RunProgram called =
        new RunProgram.Script(
            "tr '\\0' ' ' </proc/$$/cmdline".getBytes(StandardCharsets.UTF_8), "/bin/bash");
    assertEquals(0, run(login("3.vm", called)).exitStatus());
    String line = Files.readString(place.out("3.vm")).strip();
    assertTrue(Set.of("-bash", "/bin/bash -l").contains(line), line);
  }

  @Test
  @ShellAtNight
  void theLoginShellIsToldToExecuteTheScript() throws Exception {
    site("login_shell", "", "rw-r--r--");
    Path told = place.directory.resolve("told");
    Path shell = place.directory.resolve("bash");
    Files.writeString(shell, "#!/bin/sh\ncat >" + told + "\n");
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwxr-xr-x"));
    RunProgram script = new RunProgram.Script(new byte[0], shell.toString());
    assertEquals(0, run(place.request("1[2].vm", script)).exitStatus());
    String path = place.spool + "/runs/1[2].vm.1/1[2].vm.SC";
    assertEquals("exec '" + path + "' </dev/null\n", Files.readString(told));
  }

  @Test
  @ShellAtNight
  void aJobKnowsItsAccount() throws Exception {
    RunRequest plain = place.script("1.vm", "echo $PBS_ACCOUNT");
    RunTerms terms = new RunTerms(RunLimits.ofWalltime(0), 10, "42", "the team", "");
    run(
        new RunRequest(
            plain.id(), plain.owner(), plain.program(), plain.context(), plain.files(), terms));
    assertEquals("the team\n", Files.readString(place.out("1.vm")));
  }

  @Test
  @ShellAtNight
  void theSiteGivesVariablesToAllRuns() throws Exception {
    site(
        "environment",
        """
        # of this host
        LICENCE=27000@here
        LICENCE=a b="c" $HOME

        GREETING=the site's
        PATH=/site/bin:/usr/bin:/bin
        HOME=/nowhere
        EMPTY=
        LAST=x\
        """,
        "rw-r--r--");
    Path file = place.directory.resolve("env");
    assertEquals("", run(place.script("1.vm", "env -0 >" + file)).message());
    Map<String, String> env = variables(file);
    assertEquals("a b=\"c\" $HOME", env.get("LICENCE"), "the last line, as it is");
    assertEquals("hello world", env.get("GREETING"), "what the job has of its own stays");
    assertEquals(System.getProperty("user.home"), env.get("HOME"));
    assertEquals("/site/bin:/usr/bin:/bin", env.get("PATH"));
    assertEquals("", env.get("EMPTY"));
    assertEquals("x", env.get("LAST"));
    FinishedRun task = ended(task(1, 0, "echo $LICENCE $PATH"));
    assertEquals(
        "a b=\"c\" $HOME /site/bin:/usr/bin:/bin\n",
        new String(task.printed().output(), StandardCharsets.UTF_8));
  }

  private FinishedRun ended(RunRequest request) throws Exception {
    assertTrue(execution.start(request));
    return place.end(request.id());
  }

  @Test
  @ShellAtNight
  void aRunDoesNotBeginWithoutWhatItsSiteHasPromised() throws Exception {
    Path file = place.spool.resolve("site/environment");
    Path ran = place.directory.resolve("ran");
    int number = 0;
    for (String line : List.of("LICENCE", " A=1", "export A=1", "=1", "1A=1", "A-B=1")) {
      site("environment", "# one\nGOOD=1\n" + line + "\n", "rw-------");
      RunOutcome outcome = run(place.script(++number + ".vm", "touch " + ran));
      assertEquals(-3, outcome.exitStatus(), "another try, once it is mended");
      assertEquals(file + ", line 3: it is not NAME=VALUE", outcome.message());
    }
    site("environment", "GOOD=1\n", "rw-rw-r--");
    RunOutcome open = run(place.script("20.vm", "touch " + ran));
    assertEquals(-3, open.exitStatus());
    assertTrue(open.message().contains("nobody else may write"), open.message());
    assertFalse(Files.exists(ran));
  }

  private RunRequest task(int number, int place, String line) {
    RunRequest plain =
        this.place.request(
            "1.vm", new RunProgram.Task(List.of("/bin/sh", "-c", line), place, true));
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
    String hide = "echo kept; mv " + printed + " " + away + "; mkdir " + printed;
    RunRequest task = task(7, 0, hide);
    assertTrue(execution.start(task));
    place.awaitFile(place.spool.resolve("runs/1.vm.1-7/outcome"));
    // The execution looks meanwhile, and cannot read a directory.
    stays(Duration.ofMillis(500), () -> place.finished.isEmpty());
    Files.delete(printed);
    Files.move(away, printed);
    assertEquals(
        "kept\n", new String(place.end(task.id()).printed().output(), StandardCharsets.UTF_8));
  }

  private void site(String name, String text, String mode) throws IOException {
    Path file = Files.writeString(place.spool.resolve("site").resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  @ShellAtNight
  void theSitesScriptsRunBeforeAndAfterTheJob() throws Exception {
    site("prologue", "#!/bin/sh\necho before $# $1 $2 $PBS_JOBID $GREETING\n", "rwx------");
    site("epilogue", "#!/bin/sh\nshift 3; echo after $# $1 $5 $6 $7; echo $4 >&2\n", "rwxr-xr-x");
    RunOutcome outcome = run(place.script("1.vm", "echo the job; exit 7"));
    assertEquals(7, outcome.exitStatus(), outcome.message());
    assertEquals(
        List.of(
            "before 3 1.vm " + ExecutionFolder.USER + " 1.vm",
            "the job",
            "after 7 test workq null 7"),
        Files.readAllLines(place.out("1.vm")));
    String used = Files.readString(place.err("1.vm"));
    assertTrue(used.matches("cpupercent=\\d+,cput=00:00:0\\d,mem=\\d+kb,ncpus=2,.*\\n"), used);
    RunOutcome task = ended(task(1, 0, "echo no task has them")).outcome();
    assertEquals("", task.message());
  }

  @Test
  @ShellAtNight
  void aPrologueThatFailsKeepsTheJobFromRunning() throws Exception {
    Path ran = place.directory.resolve("ran");
    site("prologue", "#!/bin/sh\nexit 1\n", "rwx------");
    RunOutcome never = run(place.script("1.vm", "touch " + ran));
    assertEquals(-2, never.exitStatus());
    assertEquals("prologue: exit status 1", never.message());
    site("prologue", "#!/bin/sh\nexit 5\n", "rwx------");
    assertEquals(-3, run(place.script("2.vm", "touch " + ran)).exitStatus(), "another try");
    site("prologue", "#!/bin/sh\nexit 0\n", "rwxrwx---");
    RunOutcome open = run(place.script("3.vm", "touch " + ran));
    assertEquals(-3, open.exitStatus());
    assertTrue(open.message().contains("nobody else may write"), open.message());
    site("prologue", "#!/bin/sh\nsleep 60\n", "rwx------");
    site("prologalarm", "1\n", "rw-------");
    RunOutcome late = run(place.script("4.vm", "touch " + ran));
    assertEquals("prologue: exit status -4", late.message());
    assertEquals(-3, late.exitStatus());
    assertFalse(Files.exists(ran));
    site("prologalarm", "60\n", "rw-------");
    site("prologue", "#!/bin/sh\nexit 0\n", "rwx------");
    site("epilogue", "#!/bin/sh\nexit 9\n", "rwx------");
    RunOutcome fine = run(place.script("5.vm", "exit 4"));
    assertEquals(4, fine.exitStatus());
    assertEquals("epilogue: exit status 9", fine.message());
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
  void endsARunOverItsWalltime() throws Exception {
    // The shell ignores TERM, so that KILL must come after the delay.
    RunRequest request = place.script("1.vm", "trap '' TERM; while :; do sleep 1; done");
    RunOutcome outcome = run(ExecutionFolder.withTerms(request, 1, 1));
    assertEquals(-29, outcome.exitStatus());
    assertEquals(RunOutcome.Reason.WALLTIME, outcome.reason());
    assertTrue(outcome.usage().walltimeMs() >= 2900, outcome.toString());
    // How much beyond the limit it is seen is the machine's affair.
    String said = Files.readString(place.err("1.vm"));
    assertTrue(
        said.matches("(?s)(.*\n)?=>> PBS: job killed: walltime \\d+ exceeded limit 1\n.*"), said);
  }

  @Test
  @ShellAtNight
  void warnsARunOnceThatItsSoftWalltimeIsOver() throws Exception {
    String text =
        "trap 'echo warned; warned=1' USR1\n"
            + "until [ \"$warned\" ]; do sleep 0.1; done\n"
            + "sleep 1.5; echo goes on\n";
    RunOutcome outcome = run(ExecutionFolder.withSoftWalltime(place.script("1.vm", text), 1));
    assertEquals(0, outcome.exitStatus());
    assertTrue(outcome.usage().walltimeMs() >= 2400, outcome.toString());
    assertEquals("warned\ngoes on\n", Files.readString(place.out("1.vm")));
    RunOutcome killed = run(ExecutionFolder.withSoftWalltime(place.script("2.vm", "sleep 60"), 1));
    assertEquals(256 + 10, killed.exitStatus());
    assertTrue(killed.usage().walltimeMs() < 30_000, killed.toString());
  }

  @Test
  @ShellAtNight
  void refusesAStartWithoutItsDirectoryOutputOrShell() throws Exception {
    RunRequest plain = place.script("1.vm", "echo begun");
    Path gone = place.directory.resolve("gone");
    RunOutcome outcome = run(ExecutionFolder.withCheckedStart(plain, gone.toString(), "/bin/sh"));
    assertEquals(-1, outcome.exitStatus());
    assertEquals(RunOutcome.Reason.REFUSED, outcome.reason());
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

  /** Neither of its processes uses that much, and the third has ended before. */
  @Test
  @ShellAtNight
  void endsARunThatUsesMoreProcessorTimeThanItAskedFor() throws Exception {
    String burn = "bash -c 'while [ $SECONDS -lt 1 ]; do :; done'\n";
    String script = burn + "trap '' TERM; (while :; do :; done) & while :; do :; done";
    RunRequest request = place.script("1.vm", script);
    RunOutcome outcome = run(ExecutionFolder.withCpuLimits(request, new CpuLimits(2, 0)));
    assertEquals(-28, outcome.exitStatus());
    assertEquals(RunOutcome.Reason.CPUT, outcome.reason());
    assertTrue(outcome.usage().cputMs() >= 3000, outcome.toString());
    assertTrue(outcome.message().matches(".*cput \\d+ exceeded limit 2.*"), outcome.message());
    String said = Files.readString(place.err("1.vm"));
    assertTrue(
        said.matches("(?s)(.*\n)?=>> PBS: job killed: cput \\d+ exceeded limit 2\n.*"), said);
  }

  /** Its tasks on other hosts have used the rest. */
  @Test
  @ShellAtNight
  void endsARunThatHasUsedTooMuchOnAllItsHosts() throws Exception {
    RunId id = new RunId("1.vm", 1);
    RunRequest request = place.script("1.vm", "sleep 600");
    execution.start(ExecutionFolder.withCpuLimits(request, new CpuLimits(100, 0)));
    assertTrue(execution.order(id, 0, "cput100"));
    assertTrue(execution.order(id, 0, "cput105"));
    assertEquals(-28, place.outcome("1.vm").exitStatus());
    assertEquals(
        "=>> PBS: job killed: cput 105 exceeded limit 100\n", Files.readString(place.err("1.vm")));
  }

  @Test
  @ShellAtNight
  void aProcessThatUsesMoreProcessorTimeThanOneMayIsEnded() throws Exception {
    String script = "bash -c 'while :; do :; done'; echo $?; ulimit -t; ulimit -Ht";
    RunRequest request = place.script("1.vm", script);
    RunOutcome outcome = run(ExecutionFolder.withCpuLimits(request, new CpuLimits(60, 1)));
    assertEquals(0, outcome.exitStatus());
    assertEquals("137\n1\n1\n", Files.readString(place.out("1.vm")));
  }

  @Test
  @ShellAtNight
  void theHostsOwnLimitStaysWhereItIsLess() throws Exception {
    execution.close();
    Path bounded = Files.writeString(directory.resolve("bounded"), "#!/bin/sh\nulimit -t 3600\n");
    Files.writeString(bounded, "exec " + supervisor() + " \"$@\"\n", StandardOpenOption.APPEND);
    assertTrue(bounded.toFile().setExecutable(true));
    try (ExecutionFolder other =
        new ExecutionFolder(directory, directory.resolve("2"), bounded, true)) {
      LocalExecution there = other.open();
      RunRequest request = other.script("1.vm", "ulimit -t; ulimit -Ht");
      there.start(ExecutionFolder.withCpuLimits(request, new CpuLimits(0, 7200)));
      assertEquals(0, other.outcome("1.vm").exitStatus());
      assertEquals("3600\n3600\n", Files.readString(other.out("1.vm")));
    }
  }

  @Test
  @ShellAtNight
  void aRunLastsAsLongAsWasSaidLast() throws Exception {
    Path go = place.directory.resolve("go");
    String script = "until [ -e " + go + " ]; do sleep 0.05; done";
    RunId longer = new RunId("1.vm", 1);
    execution.start(ExecutionFolder.withTerms(place.script("1.vm", script), 3, 1));
    execution.start(ExecutionFolder.withTerms(place.script("2.vm", script), 600, 1));
    assertTrue(execution.order(longer, 0, "limit600"));
    assertTrue(execution.order(longer, 0, "limit600"), "should the first have been lost");
    Path orders = place.spool.resolve("runs/1.vm.1/orders");
    assertEquals("\n0 limit600;\n", Files.readString(orders));
    assertTrue(execution.order(new RunId("2.vm", 1), 0, "limit3"));
    assertEquals(-29, place.outcome("2.vm").exitStatus());
    Files.createFile(go);
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(0, outcome.exitStatus(), outcome.message());
    assertTrue(outcome.usage().walltimeMs() >= 3000, "the other ended no sooner than that");
  }

  @Test
  @ShellAtNight
  void keepsTheWalltimeLimitWithoutAnExecutor() throws Exception {
    RunRequest request = place.script("1.vm", "echo $$ >" + place.directory + "/up; sleep 60");
    execution.start(ExecutionFolder.withTerms(request, 1, 1));
    place.awaitFile(place.directory.resolve("up"));
    execution.close();
    place.awaitFile(place.spool.resolve("runs/1.vm.1/outcome"));
    execution = place.open();
    assertEquals(-29, place.outcome("1.vm").exitStatus());
    assertEquals("42", place.finished.peek().origin());
  }

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
    assertEquals(RunOutcome.Reason.CANCELLED, place.end(third.id()).outcome().reason());
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
    assertEquals(RunOutcome.Reason.LOST, outcome.reason());
    assertEquals("what the next run printed\n", Files.readString(place.out("1.vm")));
    assertEquals("begun\n", Files.readString(place.spool.resolve("undelivered/1.vm.1.OU")));
    assertTrue(outcome.message().contains("written since the run began"), outcome.message());
  }

  private static long lines(Path file) throws Exception {
    return Files.readAllLines(file).size();
  }

  @Test
  void carriesOutEachOrderOnce() throws Exception {
    Path up = place.directory.resolve("up");
    Path heard = place.directory.resolve("heard");
    String script =
        "trap 'echo USR1 >>%s' USR1; trap 'exit 5' USR2; echo $$ >%s; while :; do sleep 0.05; done";
    execution.start(place.script("1.vm", script.formatted(heard, up)));
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(up);
    assertTrue(execution.order(id, 1, "10"));
    place.awaitFile(heard);
    assertTrue(execution.order(id, 1, "10"));
    execution.close();
    execution = place.open();
    assertTrue(execution.order(id, 1, "10"), "an executor that was killed reads its orders again");
    assertTrue(execution.order(id, 2, "12"));
    assertEquals(5, place.outcome("1.vm").exitStatus());
    assertEquals(1, lines(heard));
    assertFalse(execution.order(id, 3, "10"), "it is over");
    assertFalse(execution.order(new RunId("2.vm", 1), 1, "10"), "it never was");
  }

  /** Longer than it may last; how soon it is stopped is the machine's affair. */
  @Test
  @ShellAtNight
  void aSuspendedRunStandsStillAndItsWalltimeDoesNotCount() throws Exception {
    long limitS = 10;
    Path ticks = place.directory.resolve("ticks");
    Path go = place.directory.resolve("go");
    String script =
        "(while :; do echo tick >>%s; sleep 0.05; done) & until [ -e %s ]; do sleep 0.05; done";
    RunRequest request = place.script("1.vm", script.formatted(ticks, go));
    long begin = System.nanoTime();
    execution.start(ExecutionFolder.withTerms(request, limitS, 1));
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(ticks);
    assertTrue(execution.order(id, 1, "suspend"));
    RunProcesses.of(place, id).awaitStandstill("it is suspended");
    long stood = lines(ticks);
    long stoodMs = TimeUnit.SECONDS.toMillis(limitS) + 500;
    // It does not go on while it is suspended.
    stays(Duration.ofMillis(stoodMs), () -> lines(ticks) == stood);
    assertTrue(execution.order(id, 2, "resume"));
    await().atMost(Duration.ofSeconds(180)).until(() -> lines(ticks) > stood);
    Files.writeString(go, "go");
    RunOutcome outcome = place.outcome("1.vm");
    long allMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertEquals(0, outcome.exitStatus(), outcome.message());
    assertTrue(outcome.usage().walltimeMs() <= allMs - stoodMs, outcome.toString());
  }

  /** A run that ticks into the file; what is in it is the number of its ticks. */
  private Path ticking(String jobId) throws Exception {
    Path ticks = place.directory.resolve("ticks");
    execution.start(
        place.script(jobId, "while :; do echo tick >>%s; sleep 0.05; done".formatted(ticks)));
    place.awaitFile(ticks);
    return ticks;
  }

  private static void goesOn(Path ticks) throws Exception {
    long stood = lines(ticks);
    await().atMost(Duration.ofSeconds(180)).until(() -> lines(ticks) > stood);
  }

  /** A signal behind SIGCONT finds it stopped, or about to be: its number is above SIGSTOP's. */
  @Test
  @ShellAtNight
  void aSignalDoesNotSetASuspendedRunFree() throws Exception {
    Path ticks = place.directory.resolve("ticks");
    Path heard = place.directory.resolve("heard");
    String script = "trap 'echo heard >>%s' URG PWR; while :; do echo tick >>%s; sleep 0.05; done";
    execution.start(place.script("1.vm", script.formatted(heard, ticks)));
    place.awaitFile(ticks);
    RunId id = new RunId("1.vm", 1);
    RunProcesses processes = RunProcesses.of(place, id);
    assertTrue(execution.order(id, 1, "suspend"));
    processes.awaitStandstill("it is suspended");
    int number = 2;
    for (int signal : List.of(23, 30)) {
      assertTrue(execution.order(id, number++, "18"));
      assertTrue(execution.order(id, number++, Integer.toString(signal)));
      processes.awaitPending(signal);
      processes.awaitStandstill("SIGCONT did not set it free");
      assertTrue(processes.pending(signal), "it went on and took the signal");
    }
    assertTrue(execution.order(id, number, "resume"));
    place.awaitFile(heard);
    goesOn(ticks);
  }

  @Test
  @ShellAtNight
  void howARunStandsDoesNotGoByTheNumberOfTheOrder() throws Exception {
    Path ticks = ticking("1.vm");
    RunId id = new RunId("1.vm", 1);
    RunProcesses processes = RunProcesses.of(place, id);
    // The first order, suspend, was lost; the second was a signal; the roll call says how it is.
    assertTrue(execution.order(id, 2, "23"));
    assertTrue(execution.order(id, 2, "suspend"));
    processes.awaitStandstill("an order was lost");
    assertTrue(execution.order(id, 3, "resume"));
    goesOn(ticks);
    // The server lost its latest facts and counts again from fewer.
    assertTrue(execution.order(id, 1, "suspend"));
    processes.awaitStandstill("it was taken for an old order");
    assertTrue(execution.order(id, 1, "suspend"));
    assertTrue(execution.order(id, 2, "resume"));
    goesOn(ticks);
  }

  @Test
  @ShellAtNight
  void howARunStandsIsWrittenDownOnceHoweverOftenItIsSaid() throws Exception {
    Path ticks = ticking("1.vm");
    RunId id = new RunId("1.vm", 1);
    RunProcesses processes = RunProcesses.of(place, id);
    Path orders = place.spool.resolve("runs/1.vm.1/orders");
    assertTrue(execution.order(id, 1, "resume"));
    assertFalse(Files.exists(orders), "nobody said that it is to stand still");
    for (int i = 0; i < 3; i++) {
      assertTrue(execution.order(id, 1, "suspend"));
    }
    assertTrue(execution.order(id, 2, "23"));
    assertTrue(execution.order(id, 2, "suspend"));
    assertEquals("\n1 suspend;\n\n2 23;\n", Files.readString(orders));
    processes.awaitStandstill("it is suspended");
    // What a full disk cut short was not said.
    Files.writeString(orders, "\n3 resume;", StandardOpenOption.APPEND);
    assertTrue(execution.order(id, 3, "resume"));
    goesOn(ticks);
  }

  @Test
  @ShellAtNight
  void manySignalsHoldUpNobody() throws Exception {
    ticking("1.vm");
    RunId id = new RunId("1.vm", 1);
    int count = many();
    for (int i = 1; i <= count; i++) {
      assertTrue(execution.order(id, i, "23"));
    }
    assertTrue(execution.order(id, count + 1, "suspend"));
    RunProcesses.of(place, id).awaitStandstill("all of them have been passed on");
    assertTrue(execution.kill(id, 15));
    assertEquals(271, place.outcome("1.vm").exitStatus());
  }

  @Test
  @ShellAtNight
  void aSupervisorThatDoesNotReadHoldsUpNobody() throws Exception {
    Path ticks = ticking("1.vm");
    RunId id = new RunId("1.vm", 1);
    Path control = place.spool.resolve("runs/1.vm.1/control");
    await().atMost(Duration.ofSeconds(180)).until(() -> Files.exists(control));
    long supervisor =
        Spool.open(place.spool).fields(id, "started").orElseThrow().number("supervisor_pid");
    signal(supervisor, "STOP");
    try {
      assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () -> {
            for (int i = 1; i <= 12_000; i++) {
              execution.kill(id, 15);
            }
          });
    } finally {
      signal(supervisor, "CONT");
    }
    assertEquals(271, place.outcome("1.vm").exitStatus());
    assertTrue(lines(ticks) > 0);
  }

  @Test
  @ShellAtNight
  void theEndThatIsAskedForIsSeenWithoutTheFifo() throws Exception {
    Path ticks = ticking("1.vm");
    Path directory = place.spool.resolve("runs/1.vm.1");
    await().atMost(Duration.ofSeconds(180)).until(() -> Files.exists(directory.resolve("control")));
    long ticked = lines(ticks);
    await().atMost(Duration.ofSeconds(180)).until(() -> lines(ticks) > ticked + 20);
    Files.writeString(directory.resolve("kill"), "15\n");
    assertEquals(271, place.outcome("1.vm").exitStatus());
    assertTrue(lines(ticks) > 0);
  }

  @Test
  @ShellAtNight
  void aLineOnTheFifoThatComesInPartsIsOneLine() throws Exception {
    Path ticks = ticking("1.vm");
    Path control = place.spool.resolve("runs/1.vm.1/control");
    await().atMost(Duration.ofSeconds(180)).until(() -> Files.exists(control));
    try (RandomAccessFile fifo = new RandomAccessFile(control.toFile(), "rw")) {
      fifo.write("orders\nsig".getBytes(StandardCharsets.US_ASCII));
      // Half a line is no line.
      stays(Duration.ofMillis(300), () -> place.finished.isEmpty());
      fifo.write("nal 15\n".getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(271, place.outcome("1.vm").exitStatus());
    assertTrue(lines(ticks) > 0);
  }

  /** Holds whenever one looks, for as long as that. */
  private static void stays(Duration time, Callable<Boolean> condition) {
    await().during(time).atMost(time.plusSeconds(90)).until(condition);
  }

  private static void signal(long pid, String name) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
  }

  @Test
  @ShellAtNight
  void endsARunThatIsSuspended() throws Exception {
    Path up = place.directory.resolve("up");
    execution.start(
        place.script(
            "1.vm",
            "trap 'echo bye; exit 3' TERM; echo $$ >" + up + "; while :; do sleep 0.05; done"));
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(up);
    assertTrue(execution.order(id, 1, "suspend"));
    RunProcesses.of(place, id).awaitStandstill("it is suspended");
    assertTrue(execution.kill(id, 15));
    assertEquals(3, place.outcome("1.vm").exitStatus());
    assertEquals("bye\n", Files.readString(place.out("1.vm")));
  }

  @Test
  @ShellAtNight
  void anOrderThatComesBeforeTheStartWaitsForIt() throws Exception {
    execution.close();
    Path gate = place.directory.resolve("gate");
    Path go = place.directory.resolve("go");
    String script = "until [ -e " + gate + " ]; do sleep 0.05; done; touch " + go + "; sleep 60";
    RunRequest request = place.script("1.vm", script);
    Spool spool = Spool.open(place.spool);
    assertTrue(spool.create(request, place.settings()));
    spool.order(request.id(), 1, "suspend");
    execution = place.open();
    RunProcesses.of(place, request.id()).awaitStandstill("the order came first");
    Files.createFile(gate);
    stays(Duration.ofMillis(500), () -> !Files.exists(go));
    assertTrue(execution.order(request.id(), 2, "resume"));
    await().atMost(Duration.ofSeconds(180)).until(() -> Files.exists(go));
    execution.kill(request.id(), 9);
  }

  @Test
  @ShellAtNight
  void cancelsARunThatIsDeletedBeforeItsStart() throws Exception {
    execution.close();
    RunRequest request = place.script("1.vm", "touch " + place.directory + "/ran");
    Spool spool = Spool.open(place.spool);
    assertTrue(spool.create(request, place.settings()));
    spool.requestKill(request.id(), 15);
    execution = place.open();
    RunOutcome outcome = place.outcome("1.vm");
    assertEquals(271, outcome.exitStatus());
    assertEquals(RunOutcome.Reason.CANCELLED, outcome.reason());
    assertFalse(Files.exists(place.directory.resolve("ran")));
    assertTrue(place.started.isEmpty());
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
    assertEquals(RunOutcome.Reason.LOST, outcome.reason());
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
    assertEquals(RunOutcome.Reason.LOST, outcome.reason());
    assertFalse(outcome.message().contains("epilogue"), outcome.message());
    assertEquals("1.vm\n", Files.readString(after));
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

  @Test
  @ShellAtNight
  void samplesWhatARunUses() throws Exception {
    RunId id = new RunId("1.vm", 1);
    execution.start(ExecutionFolder.withTerms(place.script("1.vm", "while :; do :; done"), 0, 1));
    await()
        .atMost(Duration.ofSeconds(180))
        .until(
            () ->
                execution.sample(id).filter(u -> u.cputMs() > 500 && u.memKb() > 500).isPresent());
    RunSample told;
    try (Samples samples = new Samples(execution)) {
      told = samples.next(60_000).get(0);
    }
    assertEquals(1, told.getJob());
    assertEquals(1, told.getRun());
    assertTrue(told.getCputMs() > 500 && told.getMemKb() > 500, told.toString());
    execution.kill(id, 15);
    RunUsage usage = place.outcome("1.vm").usage();
    assertTrue(usage.cputMs() > 500 && usage.walltimeMs() >= 1000, usage.toString());
    assertTrue(usage.vmemKb() > usage.memKb() && usage.memKb() > 500, usage.toString());
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
    assertEquals(RunOutcome.Reason.REFUSED, outcome.reason());
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

  /** How many runs the burst has. */
  int many() {
    return NIGHT ? 500 : 150;
  }

  private RunRequest command(String jobId, String... words) {
    return place.request(jobId, new RunProgram.Command(List.of(words)));
  }

  static boolean alive(long pid) throws IOException {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException e) {
      return false; // no such process
    }
  }
}
