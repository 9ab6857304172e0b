package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.execution.NullExecution;
import io.millrace.connectors.local.execution.Supervisors;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The executor against a real broker. */
class LocalExecutorIT extends ExecutorOnBroker {
  private static final boolean NIGHT = Boolean.getBoolean("millrace.night");
  private static final long SEED = Long.getLong("millrace.seed", 20261120L);

  @Test
  void carriesOutOrdersAndReports() throws Exception {
    try (FakeShards shards = new FakeShards(broker, "alpha")) {
      shards.order(shards.start("1.old", "echo must not run", directory.resolve("old")));
      try (LocalExecutor executor = open("alpha")) {
        List<SpecificRecord> up =
            shards.awaitReports(0, PATIENCE, all -> all.stream().anyMatch(isUp("alpha")));
        ReportNodeUp node = (ReportNodeUp) up.stream().filter(isUp("alpha")).findFirst().get();
        assertEquals(Map.of("ncpus", 2L), node.getMeasured());

        Path out = directory.resolve("out");
        shards.garbage(new byte[] {1, 2, 3});
        // Reports that cannot be sent must not keep others waiting.
        for (int nobody : new int[] {-1, 99, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
          shards.order(new KillRun("1.alpha", 1, nobody, "alpha", 1L, "", 0, false));
        }
        String longest = "x".repeat((1 << 20) - 200);
        shards.order(new KillRun(longest, 1, FakeShards.SHARD, "alpha", 1L, "", 0, false));
        shards.order(shards.start("2.alpha", "cat $PBS_NODEFILE; echo $NCPUS; exit 3", out));
        ReportRunFinished end = shards.awaitEnd("2.alpha");
        assertEquals(3, end.getExitStatus());
        assertEquals(4, end.getUsed().getNcpus());
        assertEquals(List.of("alpha", "alpha", "2"), Files.readAllLines(out));
        assertInstanceOf(
            ReportRunStarted.class,
            shards.reports.get(FakeShards.SHARD).stream().filter(of("2.alpha")).findFirst().get());

        shards.order(shards.start("3.alpha", "sleep 60", out));
        shards.awaitReports(
            FakeShards.SHARD, PATIENCE, all -> all.stream().anyMatch(of("3.alpha")));
        shards.order(new KillRun("3.alpha", 1, FakeShards.SHARD, "alpha", 1L, "", 0, false));
        assertEquals(271, shards.awaitEnd("3.alpha").getExitStatus());

        shards.order(new KillRun("4.alpha", 1, FakeShards.SHARD, "alpha", 1L, "", 0, false));
        assertEquals(-4, shards.awaitEnd("4.alpha").getExitStatus());

        StartRun strange = shards.start("../../etc", "echo", out);
        shards.order(strange);
        assertEquals(-1, shards.awaitEnd("../../etc").getExitStatus());

        shards.order(new AskHost("alpha", 6));
        shards.awaitReports(6, PATIENCE, all -> all.stream().anyMatch(isUp("alpha")));
        awaitReleased(executor);
      }
      assertTrue(Files.notExists(directory.resolve("old")), "an order of before the first start");
    }
  }

  /** The shard may have given them up, and the order that ended them may be gone. */
  @Test
  void namesItsRunsAndTasksToWhoeverAsksForIt() throws Exception {
    Path out = directory.resolve("out");
    try (FakeShards shards = new FakeShards(broker, "mu");
        LocalExecutor executor = open("mu")) {
      shards.order(shards.start("1.mu", "sleep 600", out));
      StartRun task = shards.start("1.mu", "", out);
      task.setTask(new TaskOrder(3, 1, List.of("sleep", "600"), true));
      shards.order(task);
      shards.order(shards.start("2.mu", "exit 0", out));
      shards.awaitEnd("2.mu");
      awaitBegun(executor, 2);
      shards.order(new AskHost("mu", FakeShards.SHARD));
      shards.awaitReports(
          FakeShards.SHARD,
          PATIENCE,
          all -> begun(all).equals(List.of("1.mu 0", "1.mu 0", "1.mu 3", "2.mu 0")));
      shards.order(new AskHost("mu", 6));
      shards.awaitReports(6, PATIENCE, all -> all.stream().anyMatch(isUp("mu")));
      assertEquals(List.of(), begun(shards.reports.get(6)), "they are not its own");
      for (int number : List.of(0, 3)) {
        shards.order(new KillRun("1.mu", 1, FakeShards.SHARD, "mu", 0L, "", number, true));
      }
      awaitReleased(executor);
    }
    assertFalse(Files.exists(out) && Files.size(out) > 0);
  }

  private static void awaitBegun(LocalExecutor executor, int count) {
    await().atMost(PATIENCE).until(() -> executor.execution().begun().size() == count);
  }

  /** Jobs of the host mu, and tasks, of the reports that a run has begun. */
  private static List<String> begun(List<SpecificRecord> all) {
    return all.stream()
        .filter(ReportRunStarted.class::isInstance)
        .map(ReportRunStarted.class::cast)
        .filter(it -> it.getHost().equals("mu"))
        .map(it -> it.getJobId() + " " + it.getTask())
        .sorted()
        .toList();
  }

  @Test
  void aLaterRunEndsTheEarlierOneAndItsTasksBeforeItBegins() throws Exception {
    Path up = directory.resolve("up");
    Path both = directory.resolve("both");
    try (FakeShards shards = new FakeShards(broker, "nu");
        LocalExecutor executor = open("nu")) {
      String stays = "trap '' TERM; echo $$ >>" + up + "; while :; do sleep 0.05; done";
      StartRun first = shards.start("1.nu", stays, Path.of("/dev/null"));
      first.setKillDelayS(60L);
      shards.order(first);
      StartRun task = shards.start("1.nu", "", Path.of("/dev/null"));
      task.setTask(new TaskOrder(1, 1, List.of("/bin/sh", "-c", stays), true));
      task.setKillDelayS(60L);
      shards.order(task);
      await().atMost(PATIENCE).until(() -> Files.exists(up) && Files.readAllLines(up).size() == 2);
      String look = "for p in $(cat " + up + "); do kill -0 $p && echo $p >>" + both + "; done";
      StartRun second = shards.start("1.nu", look + "; exit 7", Path.of("/dev/null"));
      second.setRun(2);
      shards.order(second);
      shards.awaitReports(
          FakeShards.SHARD,
          PATIENCE,
          all ->
              all.stream()
                  .anyMatch(it -> it instanceof ReportRunFinished end && end.getExitStatus() == 7));
      awaitReleased(executor);
    }
    assertFalse(Files.exists(both));
  }

  @Test
  void keepsReportsWhileTheBrokerIsAway() throws Exception {
    Path go = directory.resolve("go");
    try (RealBroker own = new RealBroker(directory);
        FakeShards shards = new FakeShards(own, "beta")) {
      try (LocalExecutor executor = open(own, "beta")) {
        String script = "until [ -e " + go + " ]; do sleep 0.05; done; exit 4";
        shards.order(shards.start("1.beta", script, directory.resolve("out")));
        shards.awaitReports(FakeShards.SHARD, PATIENCE, all -> all.stream().anyMatch(of("1.beta")));
        own.stop();
        Files.writeString(go, "go");
        Path outcome = directory.resolve("spool/runs/1.beta.1/outcome");
        await().atMost(PATIENCE).until(() -> Files.exists(outcome));
        own.start();
        assertEquals(4, shards.awaitEnd("1.beta").getExitStatus());
        awaitReleased(executor);
      }
    }
  }

  @Test
  void survivesKillsOfItsProcess() throws Exception {
    int runs = NIGHT ? 300 : 120;
    Path jobs = directory.resolve("jobs");
    Random random = new Random(SEED);
    try (FakeShards shards = new FakeShards(broker, "gamma")) {
      Process process = executorProcess("gamma");
      shards.awaitReports(0, PATIENCE, all -> all.stream().anyMatch(isUp("gamma")));
      for (int i = 1; i <= runs; i++) {
        String script = "echo $PBS_JOBID >>" + jobs + "; sleep 0.0" + i % 10 + "; exit " + i % 7;
        shards.order(shards.start(i + ".gamma", script, Path.of("/dev/null")));
        if (i % 40 == 0) {
          process.waitFor(300 + random.nextInt(1500), TimeUnit.MILLISECONDS);
          process.destroyForcibly().waitFor();
          process = executorProcess("gamma");
        }
      }
      Map<String, Integer> ends = new HashMap<>();
      shards.awaitReports(
          FakeShards.SHARD,
          PATIENCE,
          all -> {
            for (SpecificRecord report : all) {
              if (report instanceof ReportRunFinished end && end.getJobId().endsWith(".gamma")) {
                ends.put(end.getJobId(), end.getExitStatus());
              }
            }
            return ends.size() == runs;
          });
      assertEquals(runs, Files.readAllLines(jobs).size(), "each run once; seed " + SEED);
      for (int i = 1; i <= runs; i++) {
        assertEquals(i % 7, ends.get(i + ".gamma"), i + ".gamma; seed " + SEED);
      }
      Path left = directory.resolve("spool/runs");
      await().atMost(PATIENCE).until(() -> left.toFile().list().length == 0);
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  @Tag("night")
  void nullExecutorIsQuick() throws Exception {
    int runs = 20_000;
    try (FakeShards shards = new FakeShards(broker, "delta");
        LocalExecutor executor =
            LocalExecutor.open(
                settings(broker, "delta"), observer -> new NullExecution(0, observer))) {
      StartRun order = shards.start("0.delta", "", Path.of("/dev/null"));
      long begin = System.nanoTime();
      for (int i = 1; i <= runs; i++) {
        order.setJobId(i + ".delta");
        shards.order(order);
      }
      await().atMost(PATIENCE).until(() -> executor.released() == runs);
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "null executor: %d runs in %.2f s: %.0f/s%n", runs, seconds, runs / seconds);
      shards.awaitReports(
          FakeShards.SHARD,
          PATIENCE,
          all ->
              all.stream().filter(r -> r instanceof ReportRunFinished).filter(of("delta")).count()
                  >= runs);
    }
  }

  @Test
  void refusesASpoolOfAnotherHost() throws Exception {
    open("epsilon").close();
    IOException refused = assertThrows(IOException.class, () -> open("zeta-17"));
    assertTrue(refused.getMessage().contains("belongs to another"), refused.getMessage());
  }

  @Test
  void saysInOneLineWhatIsWrong() throws Exception {
    Path log = directory.resolve("log");
    Process process = start(log, "--bootstrap-servers", "no-such-host.invalid:9092");
    assertTrue(process.waitFor(180, TimeUnit.SECONDS));
    assertEquals(1, process.exitValue());
    String said = Files.readString(log);
    assertTrue(
        said.contains("millrace-executor: Kafka at no-such-host.invalid:9092 cannot be"), said);

    Process wrong = start(log, "--bogus", "1");
    assertEquals(2, wrong.waitFor());
    assertTrue(Files.readString(log).contains("millrace-executor: there is no option --bogus"));
  }

  @Test
  @Tag("night")
  void waitsForABrokerThatComesLater() throws Exception {
    Path log = directory.resolve("log");
    try (RealBroker late = new RealBroker(directory)) {
      late.stop();
      Process process = start(log, "--bootstrap-servers", late.address(), "--host", "eta");
      try {
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("waiting for it"));
        // It does not give up when one question is over.
        await().during(Duration.ofSeconds(5)).atMost(PATIENCE).until(process::isAlive);
        late.start();
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("executor: ready"));
      } finally {
        process.destroyForcibly().waitFor();
        if (!Files.readString(log).contains("executor: ready")) {
          late.start();
        }
      }
    }
  }

  private Process executorProcess(String host) throws Exception {
    return start(directory.resolve("log"), "--bootstrap-servers", broker.address(), "--host", host);
  }

  private Process start(Path log, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LocalExecutorMain.class.getName()));
    Path settings = directory.resolve("executor.properties");
    Files.writeString(settings, HostKey.PROPERTY + "=" + FakeShards.KEY + "\n");
    command.addAll(List.of("--properties", settings.toString()));
    command.addAll(List.of("--spool", directory.resolve("spool").toString()));
    command.addAll(List.of("--supervisor", Supervisors.compiled().toString()));
    command.addAll(List.of("--root-jobs", "true", "--tmp", directory.toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static Predicate<SpecificRecord> isUp(String host) {
    return report -> report instanceof ReportNodeUp up && up.getHost().equals(host);
  }

  /** Reports about a job, or about all jobs of a server when only its name is given. */
  private static Predicate<SpecificRecord> of(String jobId) {
    return report ->
        (report instanceof ReportRunStarted s && s.getJobId().endsWith(jobId))
            || (report instanceof ReportRunFinished f && f.getJobId().endsWith(jobId));
  }
}
