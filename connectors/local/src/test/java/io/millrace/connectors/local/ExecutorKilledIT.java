package io.millrace.connectors.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.execution.KillableExecution;
import io.millrace.connectors.local.execution.Supervisors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executor's process is killed at random moments; verdicts come from files that jobs wrote. */
@ConcurrentRuns
class ExecutorKilledIT {
  private static final boolean NIGHT = Boolean.getBoolean("millrace.night");
  private static final int KILLS = NIGHT ? 30 : 6;
  private static final int ROUNDS_MAX = KILLS + 3;
  private static final long SEED = Long.getLong("millrace.seed", 20261120L);

  @TempDir Path directory;

  @Test
  void startsAndReportsEachRunOnceWithTheCompiledSupervisor() throws Exception {
    killAtRandom(Supervisors.compiled(), NIGHT ? 2000 : 200);
  }

  @Test
  @Tag("night")
  void startsAndReportsEachRunOnceWithTheShellSupervisor() throws Exception {
    killAtRandom(Supervisors.shell(), 400);
  }

  private void killAtRandom(Path supervisor, int runs) throws Exception {
    Random random = new Random(SEED);
    int kills = 0;
    boolean done = false;
    for (int round = 0; !done && round < ROUNDS_MAX; round++) {
      Process process = start(supervisor, runs);
      long lifeMs = kills < KILLS ? 150 + random.nextInt(900) : 600_000;
      if (process.waitFor(lifeMs, TimeUnit.MILLISECONDS)) {
        assertEquals(0, process.exitValue(), Files.readString(directory.resolve("log")));
        done = true;
      } else {
        // Sometimes the spawn server goes first, and the executor has to make another one.
        if (random.nextInt(4) == 0) {
          process.children().forEach(ProcessHandle::destroyForcibly);
          process.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
        }
        process.destroyForcibly().waitFor();
        kills++;
      }
    }
    assertTrue(done, "all runs must be over after " + ROUNDS_MAX + " rounds; seed " + SEED);
    System.out.println(runs + " runs, " + kills + " kills, seed " + SEED);
    verdict(runs);
  }

  private void verdict(int runs) throws IOException {
    Set<String> all = new TreeSet<>();
    Stream.iterate(1, i -> i <= runs, i -> i + 1).forEach(i -> all.add(i + ".vm"));
    List<String> jobs = Files.readAllLines(directory.resolve("jobs"));
    assertEquals(all, new TreeSet<>(jobs), "each run was started; seed " + SEED);
    assertEquals(runs, jobs.size(), "no run was started twice; seed " + SEED);

    Map<String, String> statuses = new TreeMap<>();
    for (String report : Files.readAllLines(directory.resolve("reports"))) {
      String[] words = report.split(" ");
      String before = statuses.put(words[0], words[1]);
      assertTrue(before == null || before.equals(words[1]), "two ends of " + words[0]);
    }
    for (String job : all) {
      int number = Integer.parseInt(job.replace(".vm", ""));
      assertEquals(Integer.toString(number % 7), statuses.get(job), job + "; seed " + SEED);
    }
  }

  private Process start(Path supervisor, int runs) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            KillableExecution.class.getName(),
            directory.toString(),
            supervisor.toString(),
            Integer.toString(runs))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }
}
