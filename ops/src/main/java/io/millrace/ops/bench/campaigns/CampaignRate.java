package io.millrace.ops.bench.campaigns;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ServerHeap;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.installation.Installation;
import io.millrace.server.web.credential.TokenFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Campaigns on four partitions without processes: tasks a second from the bag to the end, 1,000
 * campaigns at once, and one of a million tasks: how long commands about it take, and a restart of
 * the campaign server.
 */
public final class CampaignRate implements Benchmark {

  private static final int CPUS = 64;
  private static final int WARM_TASKS = 4_000;
  private static final int TASKS = 20_000;
  private static final int CAMPAIGNS = 1_000;
  private static final int TASKS_OF_EACH = 4;
  private static final int CALLS = 21;
  private static final int PATIENCE_S = 240;
  private static final int LOOK_MS = 25;
  private static final double NS_PER_MS = 1e6;
  private static final double NS_PER_S = 1e9;
  private static final int DONE = 200;
  private static final List<String> CLUSTERS = List.of("bag0", "bag1", "bag2", "bag3");

  /** Takes jobs and starts none until it is told to. */
  private static final String CLOSED = "closed";

  private final HttpClient http = HttpClient.newHttpClient();
  private final CampaignOwner owner;
  private final int port;
  private CampaignCalls campaigns;

  /**
   * @param owner whose the campaigns are
   */
  public CampaignRate(CampaignOwner owner) throws IOException {
    this.owner = owner;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
  }

  @Override
  public List<String> upOptions() {
    List<String> options = new ArrayList<>(List.of("--campaigns", "--executor", "null"));
    options.addAll(List.of("--resources", "ncpus=" + CPUS + ",mem=64gb"));
    options.addAll(List.of("--http", "127.0.0.1:" + port));
    return options;
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    for (String directive : directives()) {
      site.client().ask(site.home().root(), "qmgr", "-c", directive);
    }
    campaigns = new CampaignCalls(site, owner);
    site.console().busy("warming up");
    tasksPerS(site, WARM_TASKS);
  }

  private static List<String> directives() throws IOException {
    String queue = " queue_type=Execution,enabled=True";
    List<String> all = new ArrayList<>();
    all.add("create queue " + CLOSED + queue + ",started=False");
    all.add("create queue " + CLUSTERS.get(0) + queue + ",started=True");
    for (int i = 1; i < CLUSTERS.size(); i++) {
      all.add("create sched s" + i);
      all.add("set sched s" + i + " partition = p" + i);
      all.add("set sched s" + i + " scheduling = True");
      all.add("create queue " + CLUSTERS.get(i) + queue + ",started=True,partition=p" + i);
      String node = "null" + i;
      String resources = "resources_available.ncpus=" + CPUS + ",resources_available.mem=64gb";
      all.add("create node " + node + " Mom=" + Installation.host(1) + "," + resources);
      all.add("set node " + node + " partition = p" + i);
    }
    return all;
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    site.console().busy(TASKS + " tasks on " + CLUSTERS.size() + " partitions");
    BenchFigures figures = BenchFigures.none().with("tasks_per_s", tasksPerS(site, TASKS));
    site.console().say("tasks a second: " + figures.values());
    BenchFigures many = many(site);
    site.console().say(CAMPAIGNS + " campaigns: " + many.values());
    return figures.with(many).with(million(site));
  }

  private double tasksPerS(BenchSite site, int tasks) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    campaigns.awaitOver(campaigns.submit(CLUSTERS, "/bin/true", "\"nb_jobs\": " + tasks));
    return tasks / ((System.nanoTime() - begin) / NS_PER_S);
  }

  private BenchFigures many(BenchSite site) throws IOException, InterruptedException {
    started(site, false);
    long begin = System.nanoTime();
    for (int i = 0; i < CAMPAIGNS; i++) {
      campaigns.submit(List.of(CLOSED), "/bin/true", "\"nb_jobs\": " + TASKS_OF_EACH);
    }
    double submitMs = (System.nanoTime() - begin) / NS_PER_MS / CAMPAIGNS;
    double heapMib = ServerHeap.mib(site, "campaigns");
    double[] ms = new double[CALLS];
    for (int i = 0; i < CALLS; i++) {
      ms[i] = campaigns.callMs("gridstat");
    }
    begin = System.nanoTime();
    started(site, true);
    campaigns.awaitAllOver();
    double runS = (System.nanoTime() - begin) / NS_PER_S;
    return BenchFigures.none()
        .with("1000_campaigns_submit_ms", submitMs)
        .with("1000_campaigns_gridstat_p50_ms", BenchFigures.quantile(ms, 0.5))
        .with("1000_campaigns_heap_mib", heapMib)
        .with("1000_campaigns_tasks_per_s", CAMPAIGNS * TASKS_OF_EACH / runS);
  }

  private static void started(BenchSite site, boolean started)
      throws IOException, InterruptedException {
    String set = "set queue " + CLOSED + " started = " + (started ? "True" : "False");
    site.command(site.home().root(), "qmgr", List.of("-c", set));
  }

  private static Path lines(BenchSite site, int count) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      // Numbers without a rule, which do not become much smaller when they are compressed.
      lines.append("run").append(i).append(' ').append((i * 7_919_777L) % 100_000_007L);
      lines.append('\n');
    }
    return Files.writeString(site.folder("campaigns").resolve("lines" + count), lines);
  }

  private BenchFigures million(BenchSite site) throws Exception {
    started(site, false);
    Path some = lines(site, 100_000);
    Path all = lines(site, 1_000_000);
    long begin = System.nanoTime();
    String small =
        campaigns.submit(List.of(CLOSED), "/bin/true", "\"param_file\": \"" + some + "\"");
    double smallMs = (System.nanoTime() - begin) / NS_PER_MS;
    begin = System.nanoTime();
    String id = campaigns.submit(List.of(CLOSED), "/bin/true", "\"param_file\": \"" + all + "\"");
    double largeMs = (System.nanoTime() - begin) / NS_PER_MS;
    campaigns.callMs("griddel", small);
    double[] stat = new double[CALLS];
    double[] page = new double[CALLS];
    String token =
        new TokenFolder(site.home().root())
            .create(owner.name(), Duration.ofHours(1), Instant.now())
            .text();
    for (int i = 0; i < CALLS; i++) {
      stat[i] = campaigns.callMs("gridstat", "-c", id);
      page[i] = pageMs(id, token);
    }
    started(site, true);
    double heapMib = ServerHeap.mib(site, "campaigns");
    double restartS = restartS(site, id);
    campaigns.callMs("griddel", id);
    return BenchFigures.none()
        .with("gridsub_100000_ms", smallMs)
        .with("gridsub_1000000_ms", largeMs)
        .with("gridstat_1000000_p50_ms", BenchFigures.quantile(stat, 0.5))
        .with("page_at_900000_p50_ms", BenchFigures.quantile(page, 0.5))
        .with("million_heap_mib", heapMib)
        .with("restart_to_next_end_s", restartS);
  }

  private double pageMs(String id, String token) throws IOException, InterruptedException {
    String path = "/cigri/campaigns/" + id + "/jobs?limit=100&offset=900000";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + token)
            .build();
    long begin = System.nanoTime();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    double ms = (System.nanoTime() - begin) / NS_PER_MS;
    if (answer.statusCode() != DONE) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body().strip());
    }
    return ms;
  }

  /** From the start of a killed campaign server until it has counted a further task. */
  private double restartS(BenchSite site, String id) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    campaigns.awaitMore(id, 0);
    site.installation().kill("campaigns");
    site.installation().awaitEnd("campaigns");
    long begin = System.nanoTime();
    site.installation().start("campaigns");
    int before = -1;
    while (before < 0) {
      try {
        before = campaigns.done(id);
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
    campaigns.awaitMore(id, before);
    return (System.nanoTime() - begin) / NS_PER_S;
  }
}
