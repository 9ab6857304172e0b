package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.spool.Spool;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Orders to a run that begins, runs or stands still. */
abstract class OrderContract extends LimitContract {
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

  /**
   * What the kernel tells of a process that ends meanwhile is cut short, and the name that a
   * process gives itself may be of several lines: neither may cost a signal, or the end.
   */
  @Test
  void hearsEachSignalWhileItsProcessesEndUnderAnyName() throws Exception {
    Path up = place.directory.resolve("up");
    Path heard = place.directory.resolve("heard");
    String script =
        """
        shell=$'%s/a\\nb'
        [ -e "$shell" ] || { cp /bin/bash "$shell"; exec "$shell" "$0"; }
        trap 'echo heard >>%s' URG
        for i in 1 2 3; do while :; do sleep 0.002; done & done
        echo up >%s
        while :; do sleep 0.02; done
        """;
    execution.start(place.script("1.vm", script.formatted(place.directory, heard, up)));
    RunId id = new RunId("1.vm", 1);
    place.awaitFile(up);
    for (int i = 1; i <= 12; i++) {
      long signals = i;
      assertTrue(execution.order(id, i, "23"));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(heard) && lines(heard) == signals);
    }
    assertTrue(execution.kill(id, 15));
    assertEquals(271, place.outcome("1.vm").exitStatus());
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
    assertEquals(RunOutcome.RunEndReason.CANCELLED, outcome.reason());
    assertFalse(Files.exists(place.directory.resolve("ran")));
    assertTrue(place.started.isEmpty());
  }
}
