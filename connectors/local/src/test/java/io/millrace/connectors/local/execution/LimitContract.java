package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.report.Samples;
import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.schemas.output.RunSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Bounds of a run in time. */
abstract class LimitContract extends OutputContract {
  @Test
  @ShellAtNight
  void endsARunOverItsWalltime() throws Exception {
    // The shell ignores TERM, so that KILL must come after the delay.
    RunRequest request = place.script("1.vm", "trap '' TERM; while :; do sleep 1; done");
    RunOutcome outcome = run(ExecutionFolder.withTerms(request, 1, 1));
    assertEquals(-29, outcome.exitStatus());
    assertEquals(RunOutcome.RunEndReason.WALLTIME, outcome.reason());
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

  /** Neither of its processes uses that much, and the third has ended before. */
  @Test
  @ShellAtNight
  void endsARunThatUsesMoreProcessorTimeThanItAskedFor() throws Exception {
    String burn = "bash -c 'while [ $SECONDS -lt 1 ]; do :; done'\n";
    String script = burn + "trap '' TERM; (while :; do :; done) & while :; do :; done";
    RunRequest request = place.script("1.vm", script);
    RunOutcome outcome = run(ExecutionFolder.withCpuLimits(request, new CpuLimits(2, 0)));
    assertEquals(-28, outcome.exitStatus());
    assertEquals(RunOutcome.RunEndReason.CPUT, outcome.reason());
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
}
