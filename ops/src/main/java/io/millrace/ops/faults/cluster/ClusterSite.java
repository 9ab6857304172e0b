package io.millrace.ops.faults.cluster;

import io.millrace.ops.broker.trial.StockBrokerMain;
import io.millrace.ops.broker.trial.TrialBrokers;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.InitException;
import io.millrace.ops.installation.Distribution;
import io.millrace.ops.join.ClusterFounding;
import io.millrace.ops.launcher.Launcher;
import io.millrace.ops.log.LogSetup;
import io.millrace.ops.process.HomeParts;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.StartedParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The processes of a cluster. Each has a home of its own, and all but the brokers are begun by
 * {@code ./millrace part}, as those of images are.
 */
final class ClusterSite implements StartedParts {

  /** The scheduler object beside the one that every cluster has. */
  static final String SCHEDULER = "s1";

  /** Hosts of the brokers, which are also their names. */
  static final List<String> BROKERS = List.of("b1", "b2", "b3");

  static final List<String> HOSTS = List.of("n1", "n2");
  private static final int QUERIES = 9399;
  private static final String BROKER = "broker";
  private static final String CPUS = "ncpus=16";

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private final Path root;
  private final HostNetwork network;
  private final TrialBrokers brokers;
  private final Distribution dist;
  private final int shards;

  /** The home of each process, by its name; it has that one part. */
  private final Map<String, HomeParts> processes = new LinkedHashMap<>();

  /**
   * @param root a new folder
   * @param settings of all brokers
   */
  ClusterSite(
      Path root, HostNetwork network, Distribution dist, Map<String, String> settings, int shards)
      throws IOException {
    this.shards = shards;
    this.root = root;
    this.network = network;
    this.dist = dist;
    this.brokers = new TrialBrokers(root, addresses(network), settings);
    for (String host : BROKERS) {
      processes.put(host, new HomeParts(brokers.home(host), List.of(broker(host))));
    }
    for (String host : HOSTS) {
      add(host, "server", List.of("--query-listen", network.address(host) + ":" + QUERIES));
      add(host, "gateway", List.of());
      add(host, "executor", List.of("--resources", CPUS));
    }
    add(HOSTS.get(0), "engine", List.of("--scheduler", "default"));
    add(HOSTS.get(1), "engine", List.of("--scheduler", SCHEDULER));
    add(HOSTS.get(0), "accounting", List.of());
  }

  private static Map<String, String> addresses(HostNetwork network) {
    Map<String, String> addresses = new LinkedHashMap<>();
    BROKERS.forEach(host -> addresses.put(host, network.address(host)));
    return addresses;
  }

  /** Names of its processes: brokers by their hosts, others as HOST-PART. */
  static List<String> names() {
    List<String> names = new ArrayList<>(BROKERS);
    for (String host : HOSTS) {
      for (String part : List.of("server", "gateway", "executor", "engine")) {
        names.add(name(host, part));
      }
    }
    names.add(name(HOSTS.get(0), "accounting"));
    return names;
  }

  private static String name(String host, String part) {
    return host + "-" + part;
  }

  private Part broker(String host) throws IOException {
    Home home = brokers.home(host);
    List<String> command = java(home, BROKER, "384m");
    command.add(StockBrokerMain.class.getName());
    command.addAll(List.of(brokers.settings(host).toString(), home.ready(BROKER).toString()));
    return Part.withFile(BROKER, JAVA, command).within(network.within(host));
  }

  private void add(String host, String part, List<String> own) throws IOException {
    Home home = home(host, part);
    List<String> command = java(home, part, part.equals("server") ? "512m" : "192m");
    command.add(Launcher.class.getName());
    command.addAll(List.of("part", part, "--home", home.root().toString(), "--name", host));
    command.addAll(List.of("--join", join().toString(), "--"));
    command.addAll(own);
    if (part.equals("server")) {
      String user = System.getProperty("user.name");
      command.addAll(List.of("--server-name", "site", "--managers", "root@*," + user + "@*"));
      command.addAll(List.of("--apart", "default," + SCHEDULER));
    }
    Part begun =
        switch (part) {
          case "server", "gateway" -> Part.withFile(part, JAVA, command);
          case "engine" -> Part.withLine(part, JAVA, command, "millrace-engine: ready");
          case "executor" -> Part.withLine(part, JAVA, command, "millrace-executor: ready");
          default -> Part.withLine(part, JAVA, command, "ready");
        };
    processes.put(
        name(host, part), new HomeParts(home, List.of(begun.within(network.within(host)))));
  }

  private List<String> java(Home home, String part, String heap) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData"));
    command.addAll(dist.archiveOptions(part, false));
    command.add(Part.TEMPORARY + home.temporary(part));
    command.add("-Djava.util.logging.config.class=" + LogSetup.class.getName());
    command.add("-Dmillrace.log=" + home.log(part));
    command.add(Distribution.property(dist));
    command.addAll(List.of("-cp", dist.classPath()));
    return command;
  }

  private Home home(String host, String part) {
    return new Home(root.resolve(name(host, part)));
  }

  private Path join() {
    return root.resolve("millrace.join");
  }

  /**
   * Makes the cluster and starts all of it.
   *
   * @throws IOException in one line; what has begun is ended by {@link #killAll}
   */
  void up(Consumer<String> say) throws IOException, InterruptedException {
    brokers.make();
    for (String host : BROKERS) {
      processes.get(host).start(BROKER);
    }
    for (String host : BROKERS) {
      processes.get(host).startAll();
    }
    say.accept("three brokers serve " + brokers.servers());
    try {
      new ClusterFounding(brokers.admin(), line -> {}).run(shards, false, join());
    } catch (InitException e) {
      throw new IOException(e.getMessage(), e);
    }
    for (String name : parts()) {
      if (!isBroker(name)) {
        processes.get(name).home().create();
        start(name);
      }
    }
    for (String name : parts()) {
      processes.get(name).startAll();
    }
  }

  static boolean isBroker(String name) {
    return BROKERS.contains(name);
  }

  /** Client settings of the administrator of the brokers. */
  Map<String, Object> admin() throws IOException {
    return brokers.admin();
  }

  TestedSystem system() throws IOException {
    String first = HOSTS.get(0);
    TestedSystem.TestedKafka kafka =
        new TestedSystem.TestedKafka(
            brokers.admin(), JoinFile.read(join()).accounts().get(KafkaPrincipal.MONITOR), shards);
    TestedSystem.PlantingPlaces places =
        new TestedSystem.PlantingPlaces(
            HOSTS.stream().map(host -> name(host, "server")).toList(),
            name(first, "executor"),
            home(first, "executor").spool(first),
            HOSTS.stream()
                .map(host -> home(host, "server").root().resolve("data/server"))
                .toList());
    return new TestedSystem(
        this,
        HOSTS.stream().map(host -> home(host, "gateway")).toList(),
        home(first, "accounting"),
        kafka,
        places);
  }

  /** Process id of a process that is alive. */
  Optional<Long> pid(String name) throws IOException {
    return processes.get(name).pid(part(name));
  }

  private static String part(String name) {
    return isBroker(name) ? BROKER : name.substring(name.indexOf('-') + 1);
  }

  @Override
  public List<String> parts() {
    return List.copyOf(processes.keySet());
  }

  @Override
  public void start(String name) throws IOException, InterruptedException {
    processes.get(name).start(part(name));
  }

  @Override
  public boolean alive(String name) throws IOException {
    return processes.get(name).alive(part(name));
  }

  @Override
  public boolean ready(String name) throws IOException {
    return processes.get(name).ready(part(name));
  }

  @Override
  public boolean kill(String name) throws IOException {
    return processes.get(name).kill(part(name));
  }

  @Override
  public boolean askToEnd(String name) throws IOException {
    return processes.get(name).askToEnd(part(name));
  }

  @Override
  public void awaitEnd(String name) throws IOException, InterruptedException {
    processes.get(name).awaitEnd(part(name));
  }

  @Override
  public Path keepPrinted(String name, Path folder, int life) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    return processes.get(name).keepPrinted(part(name), own, life);
  }

  /** Their networks end too, and one that cannot be killed keeps no other alive. */
  @Override
  public void killAll() throws IOException {
    IOException failed = null;
    try (network) {
      for (HomeParts each : processes.values()) {
        try {
          each.killAll();
        } catch (IOException e) {
          failed = failed == null ? e : failed;
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
