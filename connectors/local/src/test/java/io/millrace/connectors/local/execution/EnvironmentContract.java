package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a run finds: its environment, its shell, what the site has before and after it. */
abstract class EnvironmentContract extends ExecutionFixture {
  private RunRequest login(String id, RunProgram program) throws Exception {
    return place.withoutProfile(place.request(id, program));
  }

  @Test
  void reportsTheProgramsExitStatus() throws Exception {
    assertEquals(0, run(place.script("1.vm", "exit 0")).exitStatus());
    RunOutcome seven = run(place.script("2.vm", "exit 7"));
    assertEquals(7, seven.exitStatus());
    assertEquals(RunOutcome.RunEndReason.EXITED, seven.reason());
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
    assertEquals(RunOutcome.RunEndReason.SIGNALLED, term.reason());
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

  /** A run that asks for it has a file for how its steps end, also when it is killed. */
  @Test
  void whatARunWritesOfItsStepsIsInTheReportOfItsEnd() throws Exception {
    String words = "echo 1 0 20 >>$MILLRACE_STEPS; kill -KILL $$";
    RunRequest plain = place.script("1.vm", words);
    RunContext context =
        SomeContext.of("test", "workq", Map.of("MILLRACE_STEPS", ""), List.of("here"), 2);
    FinishedRun end =
        ended(
            new RunRequest(
                plain.id(), plain.owner(), plain.program(), context, plain.files(), plain.terms()));
    assertEquals(265, end.outcome().exitStatus());
    assertEquals("1 0 20\n", new String(end.printed().output(), StandardCharsets.US_ASCII));
    FinishedRun other = ended(place.script("2.vm", "[ -z $MILLRACE_STEPS ]"));
    assertEquals(0, other.outcome().exitStatus());
    assertEquals(0, other.printed().output().length);
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
    RunTerms terms = new RunTerms(RunLimits.ofWalltime(0), 10, "42", "the team", "", "");
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
}
