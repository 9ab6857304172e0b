package io.millrace.ops.bench.cluster;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.ProcessorTime;
import io.millrace.ops.bench.site.StartDelays;
import io.millrace.ops.broker.trial.TrialBrokers;
import io.millrace.ops.faults.cluster.ClusterScenario;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What three copies of everything cost: processor time while nobody asks anything, and submission
 * to the script's first instruction at 50 jobs a second in two shards. The start of {@code qsub}'s
 * own process counts in that.
 */
public final class ClusterSpeed implements ClusterBench {

  private static final int WARM_JOBS = 3_000;
  private static final int JOBS = 500;
  private static final int JOBS_PER_S = 50;
  private static final int SHARDS = 4;

  /** After the last job, until timers and compilers are quiet; then it is measured so long. */
  private static final long QUIET_MS = 60_000;

  private static final double PERCENT_OF_MS = 1e3 / 100;

  /** Whose processor time counts; engines and accounting are processes of their own here. */
  private static final List<String> PARTS = List.of("broker", "server", "gateway", "executor");

  private final ClusterScenario scenario;
  private final TestedSystem system;
  private final StartDelays delays;
  private final Console console;

  private ClusterSpeed(
      ClusterScenario scenario, TestedSystem system, StartDelays delays, Console console) {
    this.scenario = scenario;
    this.system = system;
    this.delays = delays;
    this.console = console;
  }

  /** Starts the cluster in an empty folder. */
  public static ClusterSpeed up(Path folder, Console console)
      throws IOException, InterruptedException {
    ClusterScenario scenario = new ClusterScenario(1, TrialBrokers.SHORT_GAPS, SHARDS);
    try {
      TestedSystem system = scenario.up(new Home(folder), console);
      CommandClient client = new CommandClient(system.gateways(), folder.resolve("outputs"));
      scenario.prepare(client);
      Path scripts = Files.createDirectories(folder.resolve("scripts"));
      StartDelays delays =
          new StartDelays(
              scripts, (number, line) -> submit(client, number, line), List.of("-r", "n"));
      console.busy("warming up");
      delays.measure(WARM_JOBS, JOBS_PER_S);
      return new ClusterSpeed(scenario, system, delays, console);
    } catch (IOException | InterruptedException | RuntimeException e) {
      scenario.close();
      throw e;
    }
  }

  private static void submit(CommandClient client, int number, List<String> line)
      throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(line);
    whole.addAll(0, List.of("-q", ClusterScenario.QUEUES.get(number % 2)));
    client.must("qsub", whole.toArray(String[]::new));
  }

  @Override
  public BenchFigures run() throws IOException, InterruptedException {
    double[] starts = delays.measure(JOBS, JOBS_PER_S);
    console.busy("idle");
    TimeUnit.MILLISECONDS.sleep(QUIET_MS);
    Map<String, Double> before = micros();
    long beganNanos = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep(QUIET_MS);
    Map<String, Double> after = micros();
    double ms = (System.nanoTime() - beganNanos) / 1e6;
    BenchFigures figures =
        BenchFigures.none()
            .with("p50_at_50_per_s_ms", BenchFigures.quantile(starts, 0.5))
            .with("p99_at_50_per_s_ms", BenchFigures.quantile(starts, 0.99));
    double sum = 0;
    for (String part : after.keySet()) {
      double percent = (after.get(part) - before.get(part)) / (ms * PERCENT_OF_MS);
      figures = figures.with("idle_" + part + "s_percent", percent);
      sum += PARTS.contains(part) ? percent : 0;
    }
    return figures.with("idle_percent", sum);
  }

  /** Processor time by kind of part. */
  private Map<String, Double> micros() throws IOException {
    Map<String, Double> micros = new TreeMap<>();
    for (Map.Entry<String, Long> process : scenario.processes().entrySet()) {
      String name = process.getKey();
      String part = name.contains("-") ? name.substring(name.indexOf('-') + 1) : "broker";
      micros.merge(part, ProcessorTime.ofProcess(process.getValue()), Double::sum);
    }
    return micros;
  }

  @Override
  public void close() throws IOException {
    system.parts().killAll();
    scenario.close();
  }
}
