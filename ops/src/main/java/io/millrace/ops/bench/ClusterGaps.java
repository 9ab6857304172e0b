package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.broker.trial.TrialBrokers;
import io.millrace.ops.faults.cluster.ClusterScenario;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.LoadProgress;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.schemas.fact.RunStarted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The longest time without a start in a cluster of three brokers and two servers when one of them
 * is lost or ends, at five jobs a second in two shards. What a client was told that is no success
 * counts as an error.
 */
final class ClusterGaps implements AutoCloseable {

  private static final long EACH_MS = 200;
  private static final long BEFORE_MS = 4_000;
  private static final long AFTER_MS = 16_000;
  private static final long PATIENCE_MS = 300_000;
  private static final List<String> QUEUES = List.of("workq", ClusterScenario.QUEUE);
  private static final List<String> BROKERS = List.of("b1", "b2", "b3");
  private static final List<String> SERVERS = List.of("n1-server", "n2-server");

  /** Silenced, because brokers go down on purpose here. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private final ClusterScenario scenario;
  private final TestedSystem system;
  private final CommandClient client;
  private final Restarter restarter;
  private final Console console;
  private int run;

  private ClusterGaps(
      ClusterScenario scenario,
      TestedSystem system,
      CommandClient client,
      Path evidence,
      Console console) {
    this.scenario = scenario;
    this.system = system;
    this.client = client;
    this.console = console;
    this.restarter = new Restarter(system.parts(), evidence);
  }

  /** Starts the cluster in an empty folder. */
  static ClusterGaps up(Path folder, Console console) throws IOException, InterruptedException {
    KAFKA.setLevel(Level.OFF);
    ClusterScenario scenario = new ClusterScenario(1, TrialBrokers.SHORT_GAPS);
    try {
      TestedSystem system = scenario.up(new Home(folder), console);
      CommandClient client = new CommandClient(system.gateways(), folder.resolve("outputs"));
      scenario.prepare(client);
      return new ClusterGaps(scenario, system, client, folder, console);
    } catch (IOException | InterruptedException | RuntimeException e) {
      scenario.close();
      throw e;
    }
  }

  /** What happens while jobs are submitted. */
  @FunctionalInterface
  private interface GapCause {
    /** False when there was nothing that it could happen to. */
    boolean happens() throws IOException, InterruptedException;
  }

  /** One of each kind. */
  BenchFigures run() throws IOException, InterruptedException {
    String broker = BROKERS.get(run % BROKERS.size());
    String server = SERVERS.get(run % SERVERS.size());
    run++;
    return measure("broker_killed", () -> restarter.kill(broker))
        .with(measure("server_killed", () -> restarter.kill(server)))
        .with(measure("server_ended", () -> restarter.end(server)))
        .with(measure("all_restarted", this::restartAll));
  }

  /** Each broker and server in its turn, the next when all are whole again. */
  private boolean restartAll() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(BROKERS);
    all.addAll(SERVERS);
    for (String name : all) {
      if (!restarter.end(name)) {
        return false;
      }
      scenario.awaitWhole(restarter, PATIENCE_MS);
    }
    return true;
  }

  private BenchFigures measure(String name, GapCause cause)
      throws IOException, InterruptedException {
    scenario.awaitWhole(restarter, PATIENCE_MS);
    console.busy(name.replace('_', ' '));
    Set<String> jobs = ConcurrentHashMap.newKeySet();
    AtomicInteger errors = new AtomicInteger();
    AtomicInteger next = new AtomicInteger();
    ExecutorService callers = Executors.newCachedThreadPool();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    long beganMs = System.currentTimeMillis();
    try (LoadProgress progress = new LoadProgress(ledger())) {
      clock.scheduleAtFixedRate(
          () -> callers.execute(() -> submit(next.getAndIncrement(), jobs, errors)),
          0,
          EACH_MS,
          TimeUnit.MILLISECONDS);
      TimeUnit.MILLISECONDS.sleep(BEFORE_MS);
      if (!cause.happens()) {
        throw new IOException(name + ": there was nothing to end");
      }
      TimeUnit.MILLISECONDS.sleep(AFTER_MS);
      clock.shutdownNow();
      callers.shutdown();
      if (!callers.awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS)
          || !progress.awaitEnds(jobs, PATIENCE_MS)) {
        throw new IOException(name + ": jobs do not end");
      }
    } finally {
      clock.shutdownNow();
      callers.shutdownNow();
    }
    BenchFigures figures = gaps(name, beganMs).with(name + "_client_errors", errors.get());
    console.say(name + ": " + figures.values());
    return figures;
  }

  private void submit(int number, Set<String> jobs, AtomicInteger errors) {
    String queue = QUEUES.get(number % QUEUES.size());
    try {
      CommandClient.ClientResult answer =
          client.run("qsub", "-q", queue, "-j", "oe", "-o", "/dev/null", "--", "/bin/true");
      if (answer.done()) {
        jobs.add(answer.out());
      } else {
        errors.incrementAndGet();
        console.say(answer.toString());
      }
    } catch (IOException e) {
      errors.incrementAndGet();
      console.say("qsub: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest times between two starts: of the shard that had the longest, and of the other. */
  private BenchFigures gaps(String name, long beganMs) throws IOException {
    Map<Integer, List<Long>> starts = new TreeMap<>();
    try (LedgerConsumer ledger = ledger()) {
      for (LedgerEntry entry : ledger.all()) {
        if (entry.fact() instanceof RunStarted started && started.getMeta().getAtMs() > beganMs) {
          starts
              .computeIfAbsent(entry.shard(), shard -> new ArrayList<>())
              .add(started.getMeta().getAtMs());
        }
      }
    }
    List<Long> longest = starts.values().stream().map(ClusterGaps::longest).sorted().toList();
    if (longest.size() != QUEUES.size()) {
      throw new IOException(name + ": jobs started in " + longest.size() + " shards");
    }
    return BenchFigures.none()
        .with(name + "_gap_ms", longest.get(1))
        .with(name + "_other_shard_gap_ms", longest.get(0));
  }

  private static long longest(List<Long> unsorted) {
    List<Long> times = unsorted.stream().sorted().toList();
    long longest = 0;
    for (int i = 1; i < times.size(); i++) {
      longest = Math.max(longest, times.get(i) - times.get(i - 1));
    }
    return longest;
  }

  private LedgerConsumer ledger() throws IOException {
    return LedgerConsumer.ofShards(system.kafka().monitor(), system.kafka().shards());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    restarter.close();
    system.parts().killAll();
    scenario.close();
  }
}
