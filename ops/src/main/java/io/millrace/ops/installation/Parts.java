package io.millrace.ops.installation;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.forward.ForwardMain;
import io.millrace.connectors.forward.sites.SitesMain;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.life.LifeFile;
import io.millrace.ops.log.CrashReports;
import io.millrace.ops.log.LogSetup;
import io.millrace.ops.process.EngineParts;
import io.millrace.ops.process.HeapAtStart;
import io.millrace.ops.process.HeapSizes;
import io.millrace.ops.process.MachineOptions;
import io.millrace.ops.process.Part;
import io.millrace.schemas.HostName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The command lines of the parts of one home. */
public final class Parts {

  /**
   * For parts that wait more than they compute: the good compiler costs such a part more in its
   * first ten thousand jobs than it saves after them, and takes the time from those who work.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  /**
   * For parts that the good compiler compiles: smaller pieces, which take it a fraction of the time
   * and run as fast as larger ones here (docs/decisions/0048). A Java machine that has no such
   * bound ignores it ({@link MachineOptions#SPARING}).
   */
  private static final List<String> SMALL_PIECES =
      List.of(
          "-XX:MaxInlineLevel=9",
          "-XX:FreqInlineSize=100",
          "-XX:InlineSmallCode=1000",
          "-XX:LoopUnrollLimit=10");

  /** Parts whose heaps hold the jobs: what they compute on them needs room. */
  private static final Set<String> GROWING = Set.of("server", "engine");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final String SERVER_MAIN = "io.millrace.ops.ServerMain";
  private static final String BROKER_MAIN = "io.millrace.ops.broker.BrokerMain";
  private static final String ENGINE_MAIN = "io.millrace.schedulers.engine.EngineApartMain";
  private static final String GATEWAY_MAIN = "io.millrace.server.gateway.GatewayMain";

  /** Low priority for accounting: its lines may be late, but jobs should not wait for it. */
  private static final int ACCOUNTING_NICENESS = 19;

  private static final String ACCOUNTING_MAIN = "io.millrace.server.accounting.AccountingMain";
  private static final String CAMPAIGNS_MAIN = "io.millrace.server.campaigns.door.CampaignsMain";
  private static final String WEB_MAIN = "io.millrace.server.web.WebMain";
  private static final String KEEPER_MAIN = "io.millrace.ops.installation.KeeperMain";

  /** Line that the keeper prints when it looks after the parts. */
  static final String KEEPER_READY = "ready";

  private static final String EXECUTOR_MAIN = "io.millrace.connectors.local.LocalExecutorMain";

  private static final String FORWARD_MAIN = ForwardMain.class.getName();

  private static final String SITES_MAIN = SitesMain.class.getName();

  static final String KEEPER = "keeper";

  /** Broker and keeper have no numbers of ours. */
  private static final Predicate<String> TELLS_HEALTH =
      name -> !name.equals(KEEPER) && !name.equals("broker");

  /** Line that an engine prints when it schedules. */
  private static final String ENGINE_READY = "millrace-engine: ready";

  private final Home home;
  private final Distribution dist;
  private final ClusterSettings cluster;
  private final UpSettings settings;

  Parts(Home home, Distribution dist, ClusterSettings cluster, UpSettings settings) {
    this.home = home;
    this.dist = dist;
    this.cluster = cluster;
    this.settings = settings;
  }

  Part broker() throws IOException {
    List<String> command = java("broker", "broker", BROKER_MAIN);
    command.addAll(List.of("--home", home.root().toString()));
    if (settings.durable()) {
      command.add("--durable");
    }
    return Part.withFile("broker", JAVA, command);
  }

  /** All parts that need the broker; they can be started at the same time. */
  List<Part> others() throws IOException {
    List<Part> parts = new ArrayList<>();
    if (settings.has("server")) {
      parts.add(server());
    }
    for (String scheduler : settings.enginesApart().schedulers()) {
      parts.add(engine(scheduler));
    }
    if (settings.has("gateway")) {
      parts.add(gateway());
    }
    if (settings.has("web") && !settings.http().isEmpty()) {
      parts.add(web());
    }
    if (settings.campaigns()) {
      parts.add(campaigns());
    }
    if (Files.exists(home.sites())) {
      parts.add(sites());
    }
    if (settings.accounting()) {
      parts.add(accounting());
    }
    parts.addAll(executors());
    for (Path file : settings.forward()) {
      parts.add(forwarder(file));
    }
    return parts;
  }

  /** The same but the server, which is drained. */
  List<Part> withoutServer() throws IOException {
    return others().stream().filter(part -> !part.name().equals("server")).toList();
  }

  /** All parts that do the work of a home, which the keeper looks after. */
  private List<Part> kept() throws IOException {
    List<Part> parts = new ArrayList<>();
    if (cluster.isEmbedded()) {
      parts.add(broker());
    }
    parts.addAll(others());
    return parts;
  }

  /** The process that starts the others again when they died. */
  Part keeper() throws IOException {
    List<String> command = java(KEEPER, KEEPER, KEEPER_MAIN, QUICK_COMPILER);
    command.add(command.indexOf("-cp"), Distribution.property(dist));
    command.addAll(List.of("--home", home.root().toString(), "--parts"));
    command.add(kept().stream().map(Part::name).collect(Collectors.joining(",")));
    return Part.withLine(KEEPER, JAVA, command, KEEPER_READY).guarded();
  }

  List<Part> executors() throws IOException {
    List<Part> parts = new ArrayList<>();
    for (int i : admitted()) {
      parts.add(executor(i));
    }
    return parts;
  }

  private Part server() throws IOException {
    String state = HeapAtStart.STATE + home.root().resolve("data").resolve("server");
    List<String> command = java("server", "server", SERVER_MAIN, state);
    command.addAll(List.of("--home", home.root().toString()));
    command.addAll(client(KafkaPrincipal.SERVER));
    Optional<String> instance = ServerInstance.read(home);
    instance.ifPresent(name -> command.addAll(List.of("--instance", name)));
    command.addAll(List.of("--server-name", HostName.untilDot()));
    command.addAll(List.of("--managers", managers()));
    if (!settings.queryListen().isEmpty()) {
      command.addAll(List.of("--query-listen", settings.queryListen()));
    }
    // A home with a broker of its own has the only server.
    command.addAll(List.of("--standby", String.valueOf(!cluster.isEmbedded())));
    if (!settings.enginesApart().isEmpty()) {
      command.addAll(List.of("--apart", settings.enginesApart().text()));
    }
    return Part.withFile("server", JAVA, command);
  }

  private static String managers() {
    String user = System.getProperty("user.name");
    return user.equals("root") ? "root@*" : "root@*," + user + "@*";
  }

  Part engine(String scheduler) throws IOException {
    String name = EngineParts.part(scheduler);
    List<String> command = java(name, "engine", ENGINE_MAIN);
    command.addAll(client(KafkaPrincipal.ENGINE));
    command.addAll(List.of("--scheduler", scheduler));
    command.addAll(List.of("--monitor-folder", home.root().resolve("sched_priv").toString()));
    return Part.withLine(name, JAVA, command, ENGINE_READY);
  }

  private Part gateway() throws IOException {
    List<String> command = java("gateway", "gateway", GATEWAY_MAIN, QUICK_COMPILER);
    command.addAll(List.of("--home", home.root().toString()));
    command.addAll(client(KafkaPrincipal.GATEWAY));
    command.addAll(List.of("--host", HostName.untilDot()));
    command.addAll(settings.boundsOption());
    command.addAll(List.of(UpSettings.POLICY_FILES, policyFiles(home, settings) ? "yes" : "no"));
    return Part.withFile("gateway", JAVA, command);
  }

  /**
   * Whether the files with policies of a home count, as it was started last. They are those of one
   * home of a cluster: two with different files would undo each other's texts.
   */
  public static boolean policyFiles(Home home) throws IOException {
    return policyFiles(home, UpSettings.last(home));
  }

  private static boolean policyFiles(Home home, UpSettings settings) {
    return settings.policyFiles(!Files.exists(home.joined()));
  }

  /** The HTTP server, in a process of its own. */
  private Part web() throws IOException {
    List<String> command = java("web", "web", WEB_MAIN, QUICK_COMPILER);
    command.addAll(List.of("--home", home.root().toString()));
    command.addAll(client(KafkaPrincipal.GATEWAY));
    command.addAll(List.of("--host", HostName.untilDot(), "--listen", settings.http()));
    if (Files.exists(home.client(KafkaPrincipal.MONITOR))) {
      command.addAll(
          List.of("--monitor-properties", home.client(KafkaPrincipal.MONITOR).toString()));
    }
    command.addAll(settings.boundsOption());
    settings.webOptions().forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    return Part.withFile("web", JAVA, command);
  }

  private Part campaigns() throws IOException {
    List<String> command = java("campaigns", "campaigns", CAMPAIGNS_MAIN, QUICK_COMPILER);
    command.addAll(client(KafkaPrincipal.CAMPAIGNS));
    command.addAll(List.of("--home", home.root().toString()));
    return Part.withLine("campaigns", JAVA, command, "ready");
  }

  /** Who speaks to the other installations that the home names. */
  private Part sites() throws IOException {
    List<String> command = java("sites", "sites", SITES_MAIN, QUICK_COMPILER);
    command.addAll(client(KafkaPrincipal.SITES));
    command.addAll(List.of("--sites", home.sites().toString()));
    return Part.withLine("sites", JAVA, command, SitesMain.READY);
  }

  private Part accounting() throws IOException {
    List<String> command = java("accounting", "accounting", ACCOUNTING_MAIN, QUICK_COMPILER);
    command.addAll(client(KafkaPrincipal.MONITOR));
    command.addAll(List.of("--folder", home.accounting().toString()));
    command.addAll(List.of("--home", home.root().toString()));
    if (!settings.campaignLog().isEmpty()) {
      command.addAll(List.of(UpSettings.CAMPAIGN_LOG, settings.campaignLog()));
    }
    return Part.withLine("accounting", JAVA, command, "ready").nice(ACCOUNTING_NICENESS);
  }

  private Part executor(int number) throws IOException {
    String name = executorName(number);
    String host = executorHost(number);
    Path spool = home.spool(host);
    Files.createDirectories(spool);
    List<String> command = java(name, "executor", EXECUTOR_MAIN, QUICK_COMPILER);
    command.addAll(client(home.hostClient(host)));
    command.addAll(List.of("--spool", spool.toString(), "--host", host));
    command.addAll(List.of("--executor", settings.executorKind()));
    if (settings.executorKind().equals("local")) {
      command.addAll(List.of("--supervisor", dist.bin("millrace-supervisor").toString()));
    }
    if (!settings.resources().isEmpty()) {
      command.addAll(List.of("--resources", settings.resources()));
    }
    // The server refuses root's jobs unless acl_roots names root, so the executor accepts them.
    command.addAll(List.of("--root-jobs", "true", "--durable", settings.durable() + ""));
    if (settings.takeOver()) {
      command.addAll(List.of("--take-over", "true"));
    }
    return Part.withLine(name, JAVA, command, "millrace-executor: ready");
  }

  /** Its client settings name the brokers: it has a login of its own, as other hosts have. */
  private Part forwarder(Path file) throws IOException {
    ClusterFile read = Forwarders.read(file);
    String name = Forwarders.PART + read.name();
    String host = Forwarders.host(read);
    Files.createDirectories(home.spool(host));
    List<String> command = java(name, "forward", FORWARD_MAIN, QUICK_COMPILER);
    command.addAll(List.of("--properties", home.hostClient(host).toString()));
    command.addAll(List.of("--cluster", file.toString(), "--spool", home.spool(host).toString()));
    return Part.withLine(name, JAVA, command, ForwardMain.READY);
  }

  /** Line that an executor prints when a shard has accepted it. */
  static String servesLine(String host) {
    return "millrace-executor: serves " + host;
  }

  /** Host names under which the executors take orders, in the order of their numbers. */
  List<String> executorHosts() throws IOException {
    List<String> hosts = new ArrayList<>();
    for (int i : admitted()) {
      hosts.add(executorHost(i));
    }
    return hosts;
  }

  /** Hosts of this home that were revoked, and have no executors. */
  List<String> revoked() throws IOException {
    List<String> revoked = new ArrayList<>();
    for (int i = 1; i <= executorsWanted(); i++) {
      if (HostFiles.isRevoked(home, executorHost(i))) {
        revoked.add(executorHost(i));
      }
    }
    return revoked;
  }

  private int executorsWanted() {
    return settings.has("executor") ? settings.executors() : 0;
  }

  private List<Integer> admitted() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 1; i <= executorsWanted(); i++) {
      if (!HostFiles.isRevoked(home, executorHost(i))) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  /** Host name under which an executor (numbered from 1) takes orders. */
  static String executorHost(int number) throws IOException {
    return number == 1 ? HostName.untilDot() : HostName.untilDot() + "-" + number;
  }

  static String executorName(int number) {
    return number == 1 ? "executor" : "executor-" + number;
  }

  private List<String> client(KafkaPrincipal principal) {
    return client(home.client(principal));
  }

  private List<String> client(Path settings) {
    return List.of(
        "--bootstrap-servers", cluster.bootstrapServers(), "--properties", settings.toString());
  }

  private List<String> java(String name, String kind, String main, String... more)
      throws IOException {
    List<String> command = new ArrayList<>();
    HeapSizes heaps = settings.heaps();
    command.add("-Xmx" + heaps.largest(kind));
    // Otherwise a heap begins as large as it may become, and an idle part fills what it has before
    // it collects anything.
    command.add("-Xms" + heaps.first(kind));
    command.add("-XX:NewSize=" + heaps.young(kind));
    if (!GROWING.contains(kind)) {
      // A collection of all makes the young part of a heap half of the old one by default.
      command.add("-XX:NewRatio=4");
    }
    command.add("-XX:+UseSerialGC");
    command.add("-XX:+ExitOnOutOfMemoryError");
    // With the default limit each start would reach it twice and trigger a full collection each
    // time.
    command.add("-XX:MetaspaceSize=96m");
    command.add("-XX:-UsePerfData");
    command.addAll(MachineOptions.SPARING);
    command.addAll(MachineOptions.EARLY);
    command.addAll(List.of(more));
    if (!command.contains(QUICK_COMPILER)) {
      command.addAll(SMALL_PIECES);
    }
    command.addAll(dist.archiveOptions(kind, name.equals(kind)));
    command.add("-Djava.util.logging.config.class=" + LogSetup.class.getName());
    command.add("-Dmillrace.log=" + home.log(name));
    command.add("-D" + LifeFile.PROPERTY + "=" + home.life(name));
    // A killed part leaves its unpacked libraries behind, some 15 MB each time, so they go to a
    // folder that is emptied.
    command.add(Part.TEMPORARY + home.temporary(name));
    // By default crash reports would go to the working directory and accumulate.
    command.add("-XX:ErrorFile=" + CrashReports.pattern(home, name));
    command.addAll(List.of("-cp", dist.classPath(), main));
    if (!settings.health().isEmpty()) {
      command.addAll(settings.healthPorts().option(name));
    }
    if (TELLS_HEALTH.test(name)) {
      command.addAll(settings.otlpOption());
    }
    return command;
  }
}
