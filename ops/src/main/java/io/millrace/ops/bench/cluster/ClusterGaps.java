package io.millrace.ops.bench.cluster;

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
import io.millrace.server.streams.group.ShardGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
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
import java.util.stream.IntStream;

/**
 * The longest time without a start in a cluster of three brokers and two servers when one of them
 * is lost or ends, at five jobs a second in each of two shards. What a client was told that is no
 * success counts as an error.
 */
public final class ClusterGaps implements ClusterBench {

  private static final long EACH_MS = 100;
  private static final long BEFORE_MS = 4_000;
  private static final long AFTER_MS = 16_000;
  private static final long PATIENCE_MS = 300_000;

  /** Jobs in the state of both shards together, which are held all the time. */
  public static final int JOBS = 100_000;

  /** Of them in one call of {@code qsub}. */
  private static final int AT_ONCE = 5_000;

  /** Gaps of each shard that are printed. */
  private static final int SHOWN = 3;

  private static final List<String> QUEUES = ClusterScenario.QUEUES;
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

  /**
   * Starts the cluster in an empty folder.
   *
   * @param jobs that are in its state
   */
  public static ClusterGaps up(Path folder, int jobs, Console console)
      throws IOException, InterruptedException {
    KAFKA.setLevel(Level.OFF);
    ClusterScenario scenario = new ClusterScenario(1, TrialBrokers.SHORT_GAPS, QUEUES.size());
    try {
      TestedSystem system = scenario.up(new Home(folder), console);
      CommandClient client = new CommandClient(system.gateways(), folder.resolve("outputs"));
      scenario.prepare(client);
      fill(folder.resolve("held"), jobs, client, console);
      return new ClusterGaps(scenario, system, client, folder, console);
    } catch (IOException | InterruptedException | RuntimeException e) {
      scenario.close();
      throw e;
    }
  }

  /** Half of the jobs go to each shard. */
  private static void fill(Path lines, int jobs, CommandClient client, Console console)
      throws IOException, InterruptedException {
    int inEach = jobs / QUEUES.size();
    for (String queue : QUEUES) {
      for (int from = 0; from < inEach; from += AT_ONCE) {
        int now = Math.min(AT_ONCE, inEach - from);
        Path part = lines.resolveSibling(lines.getFileName() + "-" + queue + from);
        Files.writeString(part, "-- /bin/true\n".repeat(now));
        client.must("qsub", "-z", "-h", "-q", queue, "--bulk", part.toString());
        console.busy(queue + ": " + (from + now) + " of " + inEach + " held jobs");
      }
    }
  }

  /** What happens while jobs are submitted. */
  @FunctionalInterface
  private interface GapCause {
    /** False when there was nothing that it could happen to. */
    boolean happens() throws IOException, InterruptedException;
  }

  /** One of each kind. */
  @Override
  public BenchFigures run() throws IOException, InterruptedException {
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
    Map<Integer, String> owners = awaitDivided();
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
    BenchFigures figures = gaps(name, beganMs, owners).with(name + "_client_errors", errors.get());
    console.say(name + ": " + figures.values());
    return figures;
  }

  /** Who has which shard, as soon as all servers have equally many: what ended comes back first. */
  private Map<Integer, String> awaitDivided() throws IOException, InterruptedException {
    int each = system.kafka().shards() / SERVERS.size();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    try (ShardGroup group = new ShardGroup(system.kafka().admin())) {
      while (System.nanoTime() < deadline) {
        Map<String, List<Integer>> shares = group.shares().orElse(Map.of());
        if (shares.size() == SERVERS.size()
            && shares.values().stream().allMatch(it -> it.size() == each)) {
          Map<Integer, String> owners = new TreeMap<>();
          shares.forEach((server, its) -> its.forEach(shard -> owners.put(shard, server)));
          return owners;
        }
        TimeUnit.MILLISECONDS.sleep(EACH_MS);
      }
    }
    throw new IOException("the servers do not share the shards evenly");
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
  private BenchFigures gaps(String name, long beganMs, Map<Integer, String> owners)
      throws IOException {
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
    if (starts.size() != QUEUES.size()) {
      throw new IOException(name + ": jobs started in " + starts.size() + " shards");
    }
    // With a shard for each queue and server they are apart whenever all are whole.
    if (starts.keySet().stream().map(owners::get).distinct().count() != QUEUES.size()) {
      throw new IOException(name + ": shards with jobs were on one server: " + owners);
    }
    starts.forEach(
        (shard, times) -> console.say(name + ": shard " + shard + " had no start " + gaps(times)));
    List<Long> longest = starts.values().stream().map(it -> gaps(it).get(0).ms()).sorted().toList();
    return BenchFigures.none()
        .with(name + "_gap_ms", longest.get(1))
        .with(name + "_other_shard_gap_ms", longest.get(0));
  }

  /** A time between two starts; it is printed with its begin, by which logs are read. */
  private record StartGap(long beganMs, long ms) {
    @Override
    public String toString() {
      LocalTime began = LocalTime.ofInstant(Instant.ofEpochMilli(beganMs), ZoneId.systemDefault());
      return "for " + ms + " ms from " + began;
    }
  }

  /** The longest ones, the longest first. */
  private static List<StartGap> gaps(List<Long> unsorted) {
    List<Long> times = unsorted.stream().sorted().toList();
    return IntStream.range(1, times.size())
        .mapToObj(i -> new StartGap(times.get(i - 1), times.get(i) - times.get(i - 1)))
        .sorted(Comparator.comparingLong(StartGap::ms).reversed())
        .limit(SHOWN)
        .toList();
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
