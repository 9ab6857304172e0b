package io.millrace.ops.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.ops.bench.campaigns.CampaignRate;
import io.millrace.ops.bench.campaigns.CampaignTurns;
import io.millrace.ops.bench.cluster.ClusterBench;
import io.millrace.ops.bench.cluster.ClusterGaps;
import io.millrace.ops.bench.cluster.ClusterSpeed;
import io.millrace.ops.bench.outside.OutsideTimes;
import io.millrace.ops.bench.peers.PeerRuns;
import io.millrace.ops.bench.reservations.ReservationPeers;
import io.millrace.ops.bench.reservations.ReservationRates;
import io.millrace.ops.bench.reservations.ReservationStarts;
import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.BrokersOfASite;
import io.millrace.ops.bench.site.ReplicatedBrokers;
import io.millrace.ops.bench.site.ServerNumbers;
import io.millrace.ops.bench.throughput.ReplicatedThroughput;
import io.millrace.ops.bench.throughput.Throughput;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.simulate.NamedPolicy;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code ./millrace bench}. */
public final class Bench {

  private static final String NAMES =
      """
      start-latency   submission to the script's first instruction, at 50 jobs/s and at 1 job/s
      best-effort     the same on a node that is full of best-effort runs, at 2 jobs/s
      throughput      whole life cycles a second; --executor null (default) or local;
                      with brokers of a site: beside the same with its own
      deep-queue      a million queued jobs that cannot run, then the next job, qstat, restarts
      schedulers      cycles of 1 to 8 schedulers at once, idle ones, a cluster of 64
      array           arrays of 100,000: qsub, qstat, memory, what others notice of a deletion
      submit          loops of qsub by 1 to 16 clients, queue stopped and started: rate, processor
                      time by part and threads, requests to the broker and transactions of a job
      peers           the same work for Millrace and for Slurm and Grid Engine, which root need not
                      have installed, and OpenPBS where one is
      outside         orders to a Slurm or Grid Engine of this machine, its own command beside
                      them, changes there on the topic, a queue of 20,000; root only
      gaps            starts while a broker or server is killed, ends, all are restarted: three
                      brokers, two servers (faults --cluster has the same site)
      cluster-speed   the same site: submission to start at 50 jobs/s; processor time when idle
      qsub            one qsub from the shell, with the C client and with the Java client
      cycle           one cycle with 100 promises, of everything and after one end
      reserve         decisions on reservations beside 10,000, and cycles beside them
      standing        2,000 occurrences of 64 nodes on 2,000: time until they are confirmed, and
                      qsub of another user (--user) meanwhile
      reserve-rate    10,000 reservations on 2,000 nodes: rate, commands beside them, a restart, all
                      or nothing over eight partitions
      reserve-starts  first instruction of a job that waits for its window, idle node or not, 500
                      windows in one second, a lost node
      reserve-peers   qrsub and qrdel of a real Grid Engine and of a cell here beside 0, 100 and
                      1,000 reservations; root only
      timeline        1,000 promises of slots on 10,000 hosts that are all busy
      origin2000      one cycle of the Origin2000 dialect with all options, and its traces
      gridengine      one run of the Grid Engine dialect over 5,000 waiting jobs, 20 promises
      simulate        jobs a second of workload traces through the cycle
      campaigns       what a campaign gets of idle processors, and what replicas do (virtual time)
      campaign-times  decisions of the campaign server: rate, 1,000 campaigns, a million tasks
      campaign-rate   the same with broker and four partitions: gridsub, gridstat, a restart
      campaign-turns  from the end of a task to the next one's begin on a full cluster\
      """;

  private static final int JOBS_MAX = 10_000_000;

  private static final List<String> OF_INSTALLATIONS =
      List.of(
          "--jobs", "--executor", "--different", "--slurm", "--gridengine", "--system", "--keep");

  private static final List<String> OF_CLUSTERS = List.of("gaps", "cluster-speed");

  private static final List<String> OF_BROKERS =
      List.of("--replicated", "--bootstrap-servers", "--properties");

  private static final List<String> WITH_BROKERS = List.of("throughput", "start-latency");

  private static final List<String> OWNED = List.of("campaign-rate", "campaign-turns", "standing");

  private Bench() {}

  /**
   * @return exit status
   */
  public static int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options = options().parse(arguments);
    if (options.operands().size() != 1) {
      throw options.wrong("one NAME is needed");
    }
    CampaignHarvest.onlyHere(options.operands().get(0), options);
    if (options.has(CampaignOwner.OPTION) && !OWNED.contains(options.operands().get(0))) {
      throw options.wrong(CampaignOwner.OPTION + " goes with " + String.join(", ", OWNED));
    }
    for (String option : OF_BROKERS) {
      if (options.has(option) && !WITH_BROKERS.contains(options.operands().get(0))) {
        throw options.wrong(option + " goes with " + String.join(" and ", WITH_BROKERS) + " only");
      }
    }
    if (options.has("--policy") && !options.operands().get(0).equals("cycle")) {
      throw options.wrong("--policy goes with cycle only; simulate has --policies");
    }
    if (options.has("--only") && !options.operands().get(0).equals("schedulers")) {
      throw options.wrong("--only goes with schedulers only");
    }
    Optional<Computation> computation = computation(options);
    if (computation.isPresent()) {
      onlyOfInstallations(options);
      return compute(computation.get(), options, console);
    }
    if (OF_CLUSTERS.contains(options.operands().get(0))) {
      return cluster(options, console);
    }
    Benchmark benchmark = benchmark(options);
    int runs = options.number("--runs", benchmark.usualRuns(), 1, 100);
    boolean json = options.has("--json");
    Console people = json ? new Console(System.err, console.isTerminal()) : console;
    Path folder = Files.createTempDirectory("millrace-bench-");
    // Other users' jobs have to pass through the folder.
    folder.toFile().setExecutable(true, false);
    try {
      List<BenchFigures> all = measure(benchmark, runs, folder, people);
      show(all, benchmark.table(BenchFigures.medians(all)), options, people);
      return 0;
    } finally {
      if (!options.has("--keep")) {
        FolderTree.delete(folder);
      }
    }
  }

  /** What is measured without an installation; empty for all else. */
  private static Optional<Computation> computation(GivenOptions options)
      throws IOException, UsageException {
    return Optional.ofNullable(
        switch (options.operands().get(0)) {
          case "campaigns" -> CampaignHarvest.of(options, traces(options));
          case "campaign-times" -> new CampaignTimes();
          case "simulate" -> traceReplay(options);
          case "cycle" -> new CycleTimes(cyclePolicy(options));
          case "reserve" -> new ReserveTimes();
          case "timeline" -> new TimelineTimes();
          case "origin2000" -> new OriginTimes(traces(options));
          case "gridengine" -> new GridEngineTimes();
          case "schedulers" -> isOnlyCycles(options) ? new CyclesAtOnce() : null;
          default -> null;
        });
  }

  private static void onlyOfInstallations(GivenOptions options) throws UsageException {
    for (String option : OF_INSTALLATIONS) {
      if (options.has(option)) {
        throw options.wrong(option + " is for what measures an installation");
      }
    }
  }

  private static int cluster(GivenOptions options, Console console)
      throws IOException, InterruptedException, UsageException {
    String name = options.operands().get(0);
    boolean gaps = name.equals("gaps");
    List<String> taken = gaps ? List.of("--keep", "--jobs") : List.of("--keep");
    for (String option : OF_INSTALLATIONS) {
      if (options.has(option) && !taken.contains(option)) {
        throw options.wrong(option + " does not go with " + name);
      }
    }
    int runs = options.number("--runs", 5, 1, 100);
    int jobs = options.number("--jobs", ClusterGaps.JOBS, 2, JOBS_MAX);
    Console people =
        options.has("--json") ? new Console(System.err, console.isTerminal()) : console;
    Path folder = Files.createTempDirectory("millrace-bench-");
    List<BenchFigures> all = new ArrayList<>();
    try (ClusterBench bench =
        gaps ? ClusterGaps.up(folder, jobs, people) : ClusterSpeed.up(folder, people)) {
      for (int run = 1; run <= runs; run++) {
        all.add(bench.run());
      }
    } finally {
      if (!options.has("--keep")) {
        FolderTree.delete(folder);
      }
    }
    show(all, List.of(), options, people);
    return 0;
  }

  private static int compute(Computation computation, GivenOptions options, Console console)
      throws IOException, UsageException {
    int runs = options.number("--runs", 5, 1, 100);
    Console people =
        options.has("--json") ? new Console(System.err, console.isTerminal()) : console;
    computation.prepare(people);
    List<BenchFigures> all = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      people.busy("run " + run + " of " + runs);
      all.add(computation.run(people));
    }
    show(all, List.of(), options, people);
    return 0;
  }

  private static void show(
      List<BenchFigures> runs, List<String> table, GivenOptions options, Console people) {
    BenchFigures medians = BenchFigures.medians(runs);
    if (options.has("--json")) {
      System.out.println(json(options.operands().get(0), runs, medians));
    } else if (!table.isEmpty()) {
      table.forEach(people::say);
    } else {
      medians.values().forEach((name, value) -> people.say(line(name, value)));
    }
    people.say("medians of " + runs.size() + (runs.size() == 1 ? " run" : " runs"));
  }

  private static CyclePolicy cyclePolicy(GivenOptions options) throws IOException, UsageException {
    if (!options.has("--policy")) {
      return CyclePolicy.NONE;
    }
    String word = options.get("--policy").orElseThrow();
    try {
      return CyclePolicy.of(NamedPolicy.read(word, ZoneId.systemDefault(), options));
    } catch (IllegalArgumentException e) {
      throw options.wrong("--policy " + e.getMessage());
    }
  }

  private static Computation traceReplay(GivenOptions options) throws IOException, UsageException {
    List<SimulatedPolicy> policies = new ArrayList<>();
    for (String word : options.get("--policies").orElse("easy").split(",", -1)) {
      policies.add(NamedPolicy.read(word, ZoneId.systemDefault(), options));
    }
    return new TraceReplay(traces(options), policies);
  }

  private static Path traces(GivenOptions options) {
    Path usual = Path.of(System.getProperty("millrace.checkout", "."), "../shared/traces");
    return options.get("--traces").map(Path::of).orElse(usual).normalize();
  }

  private static List<BenchFigures> measure(
      Benchmark benchmark, int runs, Path folder, Console console)
      throws IOException, InterruptedException {
    List<BenchFigures> all = new ArrayList<>();
    try (benchmark) {
      benchmark.before();
      try (BenchSite site = BenchSite.open(folder, benchmark.upOptions(), console)) {
        benchmark.prepare(site);
        for (int run = 1; run <= runs; run++) {
          console.busy("run " + run + " of " + runs);
          BenchFigures figures = benchmark.run(site);
          all.add(figures);
          boolean few = benchmark.table(figures).isEmpty();
          console.say("run " + run + (few ? ": " + text(figures) : " is done"));
        }
      }
      return all;
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ProgramOptions options() {
    return ProgramOptions.ofWord(
            "bench", "Measures an installation of its own, in a new folder.\n\n" + NAMES)
        .operands("NAME")
        .value(
            "--runs",
            "N",
            "medians are taken over so many runs (default 5, deep-queue 1; schedulers: 1 only)")
        .value("--executor", "null|local", "throughput: without or with processes (default null)")
        .value(
            "--jobs",
            "N",
            "throughput, deep-queue, submit, peers, schedulers, outside: number of jobs; gaps: jobs"
                + " that are held meanwhile (default 100,000)")
        .flag("--replicated", "throughput, start-latency: three brokers with a copy each")
        .value("--bootstrap-servers", "H:P,..", "throughput, start-latency: these brokers")
        .value("--properties", "FILE", "with it: an administrator's Kafka client settings")
        .value("--system", "SYSTEM", "outside: " + PeerCluster.names())
        .value(
            "--slurm", "FILE", "peers: script that starts and stops a Slurm; else Debian's is used")
        .value("--gridengine", "FILE", "peers: the same for a Grid Engine")
        .value("--only", "cycles|cluster", "schedulers: one part; cycles needs no installation")
        .flag("--different", "deep-queue: every job asks for something else (100,000 jobs)")
        .value(
            "--traces",
            "DIR",
            "simulate, campaigns, origin2000: folder of traces (default ../shared/traces)")
        .value("--policies", "A,B,...", "simulate: default easy")
        .value("--policy", "FILE", "cycle: by this policy, or by those of a folder")
        .value("--trace", "FILE", "campaigns: trace of the local jobs (default KTH-SP2)")
        .value("--days", "A-B", "campaigns: from day A of the trace to day B (default 60-90)")
        .value("--seed", "N", "campaigns: of the tasks' run times, one more each run (default 1)")
        .value(
            CampaignOwner.OPTION,
            "NAME",
            "campaign-rate, campaign-turns: whose they are; root has none; standing: whose qsub")
        .flag("--keep", "the folder stays")
        .flag("--json", "one JSON object on standard output, the rest on standard error");
  }

  private static Benchmark benchmark(GivenOptions options) throws IOException, UsageException {
    String name = options.operands().get(0);
    String executor = options.get("--executor").orElse("null");
    if (!List.of("null", "local").contains(executor)) {
      throw options.wrong("--executor is null or local, not '" + executor + "'");
    }
    if (options.has("--executor") && !name.equals("throughput")) {
      throw options.wrong("--executor goes with throughput only");
    }
    boolean different = options.has("--different");
    if (different && !name.equals("deep-queue")) {
      throw options.wrong("--different goes with deep-queue only");
    }
    if (options.has("--system") && !name.equals("outside")) {
      throw options.wrong("--system goes with outside only");
    }
    boolean local = executor.equals("local");
    if (!name.equals("peers") && (options.has("--slurm") || options.has("--gridengine"))) {
      throw options.wrong("--slurm and --gridengine go with peers only");
    }
    return switch (name) {
      case "start-latency" -> startLatency(options);
      case "best-effort" -> without(options, new BestEffortStarts());
      case "qsub" -> without(options, new QsubTime());
      case "schedulers" -> schedulers(options);
      case "submit" -> new SubmitRates(options.number("--jobs", 480, 16, 100_000));
      case "outside" -> outside(options);
      case "peers" -> peers(options);
      case "standing" -> without(options, new StandingTimes(owner(options)));
      case "reserve-rate" -> without(options, new ReservationRates());
      case "reserve-peers" -> without(options, new ReservationPeers());
      case "reserve-starts" -> without(options, new ReservationStarts());
      case "campaign-turns" -> without(options, new CampaignTurns(owner(options)));
      case "campaign-rate" -> without(options, new CampaignRate(owner(options)));
      case "array" -> without(options, new ArrayTimes());
      case "throughput" -> throughput(options, local);
      case "deep-queue" ->
          new DeepQueue(
              options.number("--jobs", different ? 100_000 : 1_000_000, 100, JOBS_MAX), different);
      default -> throw options.wrong("there is no benchmark '" + name + "'");
    };
  }

  private static Benchmark startLatency(GivenOptions options) throws UsageException {
    Benchmark starts = without(options, new StartLatency());
    return brokers(options)
        .<Benchmark>map(found -> new BrokersOfASite(starts, found))
        .orElse(starts);
  }

  private static Benchmark throughput(GivenOptions options, boolean local) throws UsageException {
    int jobs = options.number("--jobs", local ? 2_000 : 20_000, 2, JOBS_MAX);
    Throughput load = new Throughput(local, jobs);
    return brokers(options)
        .<Benchmark>map(found -> new ReplicatedThroughput(load, found))
        .orElse(load);
  }

  /** How the brokers of a site are reached; empty where the installation has its own. */
  private static Optional<BrokersOfASite.BrokerStart> brokers(GivenOptions options)
      throws UsageException {
    Optional<String> servers = options.get("--bootstrap-servers");
    Optional<String> properties = options.get("--properties");
    if (servers.isPresent() != properties.isPresent()) {
      throw options.wrong("--bootstrap-servers and --properties go together");
    }
    if (servers.isPresent() && options.has("--replicated")) {
      throw options.wrong("--replicated starts brokers, --bootstrap-servers names others");
    }
    if (servers.isPresent()) {
      Path admin = Path.of(properties.get()).toAbsolutePath();
      return Optional.of(folder -> ReplicatedBrokers.given(servers.get(), admin));
    }
    return options.has("--replicated") ? Optional.of(ReplicatedBrokers::up) : Optional.empty();
  }

  /** Whether the part of the benchmark of schedulers is wanted that needs no installation. */
  private static boolean isOnlyCycles(GivenOptions options) throws UsageException {
    String only = options.get("--only").orElse("cluster");
    if (!List.of("cycles", "cluster").contains(only)) {
      throw options.wrong("--only is cycles or cluster, not '" + only + "'");
    }
    return only.equals("cycles");
  }

  private static Benchmark schedulers(GivenOptions options) throws IOException, UsageException {
    if (options.number("--runs", 1, 1, 100) > 1) {
      // What a run has created stays in the installation, where all runs would be.
      throw options.wrong("schedulers has one run: --runs 1");
    }
    return new SchedulerTimes(
        ServerNumbers.atFreePorts(),
        options.number("--jobs", SchedulerTimes.JOBS, SchedulerTimes.ALL, JOBS_MAX),
        !options.has("--only"));
  }

  private static Benchmark peers(GivenOptions options) throws IOException, UsageException {
    Map<String, Path> scripts = new HashMap<>();
    options.get("--slurm").ifPresent(file -> scripts.put("slurm", Path.of(file)));
    options.get("--gridengine").ifPresent(file -> scripts.put("gridengine", Path.of(file)));
    return new PeerRuns(scripts, options.number("--jobs", 320, 16, 10_000));
  }

  private static CampaignOwner owner(GivenOptions options) throws IOException, UsageException {
    try {
      return CampaignOwner.of(options.get(CampaignOwner.OPTION));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private static Benchmark outside(GivenOptions options) throws UsageException {
    PeerCluster cluster =
        PeerCluster.of(options.require("--system"))
            .orElseThrow(() -> options.wrong("--system is one of " + PeerCluster.names()));
    return new OutsideTimes(cluster, options.number("--jobs", 200, 2, 10_000));
  }

  private static Benchmark without(GivenOptions options, Benchmark benchmark)
      throws UsageException {
    if (options.has("--jobs")) {
      throw options.wrong(
          "--jobs goes with throughput, deep-queue, submit, peers, schedulers, outside and gaps"
              + " only");
    }
    return benchmark;
  }

  private static String line(String name, double value) {
    // Shares lie between 0 and 1.
    return String.format(Locale.ROOT, value < 1 ? "%-44s %12.3f" : "%-44s %12.1f", name, value);
  }

  private static String text(BenchFigures figures) {
    List<String> parts = new ArrayList<>();
    figures
        .values()
        .forEach((name, value) -> parts.add(String.format(Locale.ROOT, "%s %.1f", name, value)));
    return String.join(", ", parts);
  }

  private static String json(String name, List<BenchFigures> runs, BenchFigures medians) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode all = mapper.createObjectNode().put("bench", name);
    all.put("cores", Runtime.getRuntime().availableProcessors());
    medians.values().forEach(all.putObject("medians")::put);
    ArrayNode each = all.putArray("runs");
    runs.forEach(run -> run.values().forEach(each.addObject()::put));
    return all.toString();
  }
}
