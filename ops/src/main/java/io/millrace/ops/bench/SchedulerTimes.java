package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ServerHeap;
import io.millrace.ops.bench.site.ServerNumbers;
import io.millrace.ops.installation.Installation;
import io.millrace.schemas.health.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Many scheduler objects: their cycles at the same time, what an idle one costs the server and
 * hears while others work, and a cluster of 64 with 2,000 nodes and 200,000 jobs.
 */
final class SchedulerTimes implements Benchmark {
  static final int ALL = 64;
  static final int JOBS = 200_000;
  private static final int NODES = 2_000;
  private static final int QUESTIONS = 5;
  private static final int PATIENCE_S = 300;
  private static final int LOOK_MS = 20;
  private static final int NODES_AT_ONCE = 40;

  /** Jobs of one scheduler that the others hear of. */
  private static final int HEARD = 200;

  private final ServerNumbers numbers;
  private final int jobs;
  private final boolean cycles;

  /**
   * @param jobs that wait in the cluster of 64
   * @param cycles whether those at the same time are measured, too
   */
  SchedulerTimes(ServerNumbers numbers, int jobs, boolean cycles) {
    this.numbers = numbers;
    this.jobs = jobs;
    this.cycles = cycles;
  }

  @Override
  public List<String> upOptions() {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--executor",
                "null",
                "--shards",
                "8",
                "--resources",
                "ncpus=64,mem=64gb",
                "--heap",
                "server=1500m"));
    options.addAll(numbers.upOptions());
    return options;
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  /** Before there are schedulers, each of which follows the changes of all objects. */
  @Override
  public void prepare(BenchSite site) throws Exception {
    for (int scheduler = 0; scheduler < ALL; scheduler++) {
      site.console().busy("nodes of scheduler " + scheduler + " of " + ALL);
      nodes(site, scheduler);
    }
  }

  private static String name(int scheduler) {
    return "b" + scheduler;
  }

  private static void qmgr(BenchSite site, String directive)
      throws IOException, InterruptedException {
    site.client().ask(site.home().root(), "qmgr", "-c", directive);
  }

  private static void scheduler(BenchSite site, int number)
      throws IOException, InterruptedException {
    String partition = "partition=p" + number;
    qmgr(site, "create sched " + name(number) + " " + partition);
    qmgr(
        site,
        "create queue "
            + DeepLoad.queue(number)
            + " queue_type=execution,enabled=True,started=True,"
            + partition);
  }

  /** Creates the nodes of a scheduler, all on the one host. */
  private static void nodes(BenchSite site, int scheduler)
      throws IOException, InterruptedException {
    int to = (scheduler + 1) * NODES / ALL;
    for (int i = scheduler * NODES / ALL; i < to; i += NODES_AT_ONCE) {
      String names =
          IntStream.range(i, Math.min(to, i + NODES_AT_ONCE))
              .mapToObj(it -> "n" + it)
              .collect(Collectors.joining(","));
      qmgr(
          site,
          "create node "
              + names
              + " Mom="
              + Installation.host(1)
              + ",resources_available.ncpus=16,resources_available.mem=64gb,partition=p"
              + scheduler);
    }
  }

  private static void schedule(BenchSite site) throws IOException, InterruptedException {
    String names =
        IntStream.range(0, ALL).mapToObj(SchedulerTimes::name).collect(Collectors.joining(","));
    qmgr(site, "set sched " + names + " scheduling = True");
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none();
    if (cycles) {
      site.console().busy("cycles at the same time");
      figures = new CyclesAtOnce().run(site.console());
      told(site, figures);
    }
    return figures.with(idle(site)).with(large(site));
  }

  /** The whole takes long, so each part is told when it is known. */
  private static void told(BenchSite site, BenchFigures figures) {
    figures
        .values()
        .forEach(
            (name, value) ->
                site.console().say(String.format(Locale.ROOT, "%-40s %10.2f", name, value)));
  }

  /** What each scheduler object costs that has no jobs, with its 31 nodes. */
  private BenchFigures idle(BenchSite site) throws IOException, InterruptedException {
    double heap = ServerHeap.mib(site);
    long threads = threads(site);
    for (int i = 0; i < ALL; i++) {
      site.console().busy("scheduler " + i + " of " + ALL);
      scheduler(site, i);
    }
    awaitThreads(site, threads + ALL);
    BenchFigures figures =
        BenchFigures.none()
            .with("heap_per_idle_scheduler_kib", 1024 * (ServerHeap.mib(site) - heap) / ALL)
            .with("threads_per_idle_scheduler", (threads(site) - threads) / (double) ALL)
            .with("facts_per_idle_scheduler_and_job", heard(site));
    told(site, figures);
    return figures;
  }

  /** Facts that each idle one is told for each job that another one runs. */
  private double heard(BenchSite site) throws IOException, InterruptedException {
    qmgr(site, "set sched " + name(0) + " scheduling = True");
    Map<String, Double> before = numbers.byLabel(Metric.ENGINE_FACTS);
    Path folder = site.folder("heard");
    for (int i = 0; i < HEARD; i++) {
      site.command(folder, "qsub", List.of("-q", DeepLoad.queue(0), "--", "/bin/true"));
    }
    site.awaitIdle(DeepLoad.queue(0));
    Map<String, Double> after = numbers.byLabel(Metric.ENGINE_FACTS);
    double sum = 0;
    for (int i = 1; i < ALL; i++) {
      sum += facts(after, name(i)) - facts(before, name(i));
    }
    return sum / (ALL - 1) / HEARD;
  }

  /** Each has heard of the objects that came after it, and so has a number. */
  static double facts(Map<String, Double> heard, String scheduler) throws IOException {
    Double facts = heard.get(scheduler);
    if (facts == null) {
      throw new IOException(
          "the server does not tell " + Metric.ENGINE_FACTS.text() + " of scheduler " + scheduler);
    }
    return facts;
  }

  /** Each has an engine of its own, which begins after the answer to qmgr. */
  private static void awaitThreads(BenchSite site, long wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (threads(site) < wanted && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private static long threads(BenchSite site) throws IOException {
    String pid = Files.readString(site.home().pid("server")).split(" ")[0];
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("Threads:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  private BenchFigures large(BenchSite site) throws Exception {
    DeepLoad load = new DeepLoad(site.gateway(), ALL, new Random(2));
    double perSecond = load.submit(jobs, true, site.console());
    schedule(site);
    BenchFigures figures =
        BenchFigures.none()
            .with("large_jobs", jobs)
            .with("large_submitted_per_s", perSecond)
            .with("large_all_serve_s", allServe(site))
            .with("large_print_server_s", print(site))
            .with("large_server_heap_mib", ServerHeap.mib(site));
    told(site, figures);
    double upS = restart(site);
    return figures.with("large_start_of_everything_s", upS + allServe(site));
  }

  private static double print(BenchSite site) throws IOException, InterruptedException {
    double[] seconds = new double[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      long begin = System.nanoTime();
      site.client().ask(site.home().root(), "qmgr", "-c", "p s");
      seconds[i] = (System.nanoTime() - begin) / 1e9;
    }
    return BenchFigures.quantile(seconds, 0.5);
  }

  /** Seconds until each scheduler has run a job, from before the first of them is submitted. */
  private static double allServe(BenchSite site) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path folder = site.folder("serves");
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < ALL; i++) {
      List<String> line =
          List.of("-q", DeepLoad.queue(i), "-p", "1023", "-j", "oe", "--", "/bin/true");
      jobs.add(site.command(folder, "qsub", line).strip());
    }
    long deadline = begin + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    for (String job : jobs) {
      while (!site.command(folder, "qstat", List.of("-x", "-f", job)).contains("job_state = F")) {
        if (System.nanoTime() > deadline) {
          throw new IOException(job + " has not run after " + PATIENCE_S + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Seconds from the start of broker, server, gateway and all others until they are ready. */
  private static double restart(BenchSite site) throws IOException, InterruptedException {
    Installation parts = site.installation();
    List<String> names = new ArrayList<>(parts.parts());
    for (int i = names.size() - 1; i >= 0; i--) {
      parts.stop(names.get(i));
    }
    long begin = System.nanoTime();
    long deadline = begin + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    for (String part : names) {
      parts.start(part);
      while (!parts.ready(part)) {
        if (System.nanoTime() > deadline) {
          throw new IOException(part + " is not ready after " + PATIENCE_S + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }
}
