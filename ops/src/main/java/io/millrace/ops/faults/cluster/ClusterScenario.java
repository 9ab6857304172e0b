package io.millrace.ops.faults.cluster;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.scenario.OnePartition;
import io.millrace.ops.faults.scenario.Scenario;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.Distribution;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
import io.millrace.schemas.program.UsageException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Three brokers and two hosts, with a partition of each host. Parts are killed, links of hosts and
 * brokers are cut, and brokers are paused, the latter for longer than their session lasts, too.
 */
public final class ClusterScenario implements Scenario {

  private static final String LINK = "link of ";
  private static final String PAUSE = "pause of ";
  private static final long WHOLE_PATIENCE_MS = 300_000;
  private static final int OUT_MS_MIN = 1_000;
  private static final int OUT_MS_MAX = 15_000;

  /** The queue beside the one that every cluster has. */
  public static final String QUEUE = "q1";

  /** One of each shard that has jobs. */
  public static final List<String> QUEUES = List.of("workq", QUEUE);

  private static final String PARTITION = "p1";

  /** More than there are jobs in, as most sites have. */
  private static final int SHARDS = 4;

  private final long seed;
  private final Map<String, String> settings;
  private final int shards;
  private final SplittableRandom random;
  private final Outages outages = new Outages();
  private final Map<String, Integer> struck = new TreeMap<>();
  private HostNetwork network;
  private ClusterSite site;
  private BrokerCopies copies;
  private KillOnExit end;

  public ClusterScenario(long seed) {
    this(seed, Map.of(), SHARDS);
  }

  /**
   * @param settings of all brokers
   * @param shards two at least; jobs are in the first two
   */
  public ClusterScenario(long seed, Map<String, String> settings, int shards) {
    this.seed = seed;
    this.shards = shards;
    this.settings = Map.copyOf(settings);
    this.random = new SplittableRandom(seed);
  }

  @Override
  public TestedSystem up(Home home, Console console) throws IOException, InterruptedException {
    network =
        HostNetwork.of(
            Stream.concat(ClusterSite.BROKERS.stream(), ClusterSite.HOSTS.stream()).toList());
    try {
      site = new ClusterSite(home.root(), network, Distribution.current(), settings, shards);
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
    // Before anything begins: it takes a minute, and may be interrupted.
    end = new KillOnExit("faults", site::killAll);
    boolean whole = false;
    try {
      site.up(console::say);
      copies = new BrokerCopies(site.admin(), ClusterSite.BROKERS.size());
      TestedSystem system = site.system();
      whole = true;
      return system;
    } finally {
      if (!whole) {
        end.close();
      }
    }
  }

  /** Process numbers of all that live, by their names: those of brokers, and HOST-PART. */
  public Map<String, Long> processes() throws IOException {
    Map<String, Long> processes = new TreeMap<>();
    for (String name : ClusterSite.names()) {
      site.pid(name).ifPresent(pid -> processes.put(name, pid));
    }
    return processes;
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    OnePartition.allowRoot(client);
    for (String directive : objects()) {
      client.must("qmgr", "-c", directive);
    }
    copies.awaitWhole(WHOLE_PATIENCE_MS);
  }

  private static List<String> objects() {
    String scheduler = ClusterSite.SCHEDULER;
    String queue = " queue_type=Execution,started=True,enabled=True,partition=";
    List<String> objects = new ArrayList<>();
    objects.add("create sched " + scheduler);
    objects.add("set sched " + scheduler + " partition = " + PARTITION);
    objects.add("set sched " + scheduler + " scheduling = True");
    objects.add("create queue " + QUEUE + queue + PARTITION);
    ClusterSite.HOSTS.forEach(host -> objects.add("create node " + host));
    objects.add("set node " + ClusterSite.HOSTS.get(1) + " partition = " + PARTITION);
    return objects;
  }

  @Override
  public List<String> victims() {
    return victims(network.apart());
  }

  /**
   * What is struck.
   *
   * @param apart whether hosts have links that can be cut
   */
  public static List<String> victims(boolean apart) {
    List<String> victims = new ArrayList<>(ClusterSite.names());
    ClusterSite.BROKERS.forEach(host -> victims.add(PAUSE + host));
    if (apart) {
      ClusterSite.BROKERS.forEach(host -> victims.add(LINK + host));
      ClusterSite.HOSTS.forEach(host -> victims.add(LINK + host));
    }
    return victims;
  }

  @Override
  public boolean strike(Restarter restarter, String victim)
      throws IOException, InterruptedException {
    String host = victim.substring(victim.lastIndexOf(' ') + 1);
    if (ClusterSite.isBroker(host)) {
      awaitWhole(restarter, WHOLE_PATIENCE_MS);
    }
    if (victim.equals(host)) {
      return restarter.kill(victim);
    }
    long forMs = random.nextInt(OUT_MS_MIN, OUT_MS_MAX);
    boolean link = victim.startsWith(LINK);
    boolean begun =
        link
            ? outages.begin(victim, forMs, () -> network.cut(host), () -> network.mend(host))
            : outages.begin(
                victim, forMs, () -> signal(host, "-STOP"), () -> signal(host, "-CONT"));
    if (begun) {
      struck.merge(link ? LINK + host + " cut" : host + " paused", 1, Integer::sum);
    }
    return begun;
  }

  private void signal(String broker, String signal) throws IOException, InterruptedException {
    Optional<Long> alive = site.pid(broker);
    if (alive.isEmpty()) {
      throw new IOException("broker " + broker + " is not alive");
    }
    String pid = Long.toString(alive.get());
    Process kill =
        new ProcessBuilder("kill", signal, pid)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill " + signal + " " + pid + " failed: broker " + broker);
    }
  }

  @Override
  public void awaitWhole(Restarter restarter, long patienceMs)
      throws IOException, InterruptedException {
    outages.awaitOver(patienceMs);
    restarter.awaitReady(patienceMs);
    copies.awaitWhole(patienceMs);
  }

  /** Half of the jobs go to each partition. */
  @Override
  public List<String> submit(JobPlan plan) {
    boolean here = new SplittableRandom(seed * 7919 + plan.number()).nextBoolean();
    return here ? List.of() : List.of("-q", QUEUE);
  }

  @Override
  public String move(JobPlan plan) {
    return "";
  }

  @Override
  public void finish(CommandClient client) {
    // Whatever was cut or paused is back, and nothing else was changed.
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public Map<String, Integer> otherStrikes() {
    return struck;
  }

  @Override
  public String words() {
    String links =
        network.apart()
            ? ", each in a network of its own"
            : "; no link is cut, since that takes root's rights and iproute2";
    return "three brokers, two hosts with a partition each" + links;
  }

  @Override
  public void close() {
    outages.close();
    if (copies != null) {
      copies.close();
    }
    if (end != null) {
      end.close();
    }
    if (network != null) {
      network.close();
    }
  }
}
