package io.millrace.ops.bench.outside;

import io.millrace.ops.bench.outside.NotedCommands.NotedCall;
import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ProcessorTime;
import io.millrace.ops.bench.site.ServerHeap;
import io.millrace.ops.campaigns.CampaignDescription;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.StartedPeer;
import io.millrace.schemas.fact.RunGranted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * {@code bench outside}: orders to a real batch system, its own command beside that, what happens
 * there on the topic, the cold start of who watches a long queue, what it costs to wait, and what
 * watching costs the system's own daemon.
 */
public final class OutsideTimes implements Benchmark {
  private static final String OBSERVED = "c8";
  private static final String LONG = "c9";

  /** So many that the slowest hundredth is more than one. */
  private static final int ORDERS = 200;

  private static final int ORDER_GAP_MS = 150;
  private static final int CLIENTS = 2;
  private static final int CHANGES = 20;
  private static final int CHANGE_GAP_MS = 700;
  private static final int LASTS_S = 4;
  private static final int QUEUED = 20_000;
  private static final int IDLE_S = 20;
  private static final int LOOK_MS = 100;
  private static final int PATIENCE_MS = 300_000;

  /** Beyond the jobs that are submitted at once. */
  private static final int ROOM = 100;

  private final PeerCluster cluster;
  private final PeerCommands commands;
  private final int jobs;
  private StartedPeer peer;
  private Path folder;
  private Path script;
  private NotedCommands forwarding;
  private NotedCommands watching;

  /**
   * @param jobs that are submitted at once
   */
  public OutsideTimes(PeerCluster cluster, int jobs) {
    this.cluster = cluster;
    this.commands = PeerCommands.of(cluster);
    this.jobs = jobs;
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void before() throws IOException, InterruptedException {
    peer = StartedPeer.start(cluster);
    folder = Files.createTempDirectory("millrace-outside-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    CampaignOwner owner = CampaignOwner.of(Optional.of(PeerCluster.ACCOUNT));
    owner.give(folder.resolve("spool").resolve(PeerCluster.ACCOUNT));
    owner.give(ends().getParent());
    script = readable(Files.writeString(folder.resolve("job.sh"), "#!/bin/sh\n:\n"));
    Files.writeString(answer(), commands.empty());
    Path real = PeerCommands.REAL;
    List<String> names = commands.names();
    forwarding =
        NotedCommands.make(
            folder.resolve("forwarding"), real, names, List.of(commands.submitting()));
    watching = NotedCommands.make(folder.resolve("watching"), real, names, commands.questions());
    NotedCommands playing = NotedCommands.make(folder.resolve("playing"), real, names, List.of());
    playing.program(commands.asking(), "exec cat '" + answer() + "'\n");
    String account = "user." + PeerCluster.ACCOUNT + " = " + PeerCluster.ACCOUNT;
    file(cluster.cluster(), forwarding, account);
    file(OBSERVED, watching, "mode = observe");
    file(LONG, playing, "mode = observe");
  }

  /** The account reads it, whatever the umask here is. */
  private static Path readable(Path file) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  private Path ends() {
    return folder.resolve("work").resolve("ends");
  }

  /** What is said of the long queue. */
  private Path answer() {
    return folder.resolve("answer");
  }

  private Path fileOf(String name) {
    return folder.resolve(name + ".properties");
  }

  private void file(String name, NotedCommands programs, String more) throws IOException {
    List<String> lines =
        List.of(
            "commands = " + programs.folder(),
            "waiting_most = 100000",
            "waiting_most_account = 100000",
            more);
    Files.write(fileOf(name), cluster.file(name, folder.resolve("spool"), lines));
  }

  @Override
  public List<String> upOptions() {
    String files = fileOf(cluster.cluster()) + "," + fileOf(OBSERVED) + "," + fileOf(LONG);
    return List.of("--campaigns", "--executors", "0", "--heap", "forward=300m", "--forward", files);
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    String room = " resources_available.ncpus = " + (jobs + ROOM);
    site.command(site.home().root(), "qmgr", List.of("-c", "set node " + cluster.node() + room));
    qsub(site);
    awaitSubmissions(1);
    awaitEmpty();
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = orders(site);
    figures = figures.with(rates(site));
    figures = figures.with(changes(site));
    figures = figures.with(longQueue(site));
    figures = figures.with(idle(site));
    return figures.with(daemonLoad(site));
  }

  private void qsub(BenchSite site) throws IOException, InterruptedException {
    submit(site, List.of(script.toString()));
  }

  private void submit(BenchSite site, List<String> more) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(PeerCommands.become());
    words.add(site.home().bin().resolve("qsub").toString());
    words.addAll(List.of("-q", cluster.cluster(), "-j", "oe", "-o", "/dev/null"));
    words.addAll(more);
    PeerCommands.must(words, site.clientEnvironment());
  }

  private List<NotedCall> awaitSubmissions(int count) throws IOException, InterruptedException {
    List<NotedCall> all = forwarding.submissions();
    LastChange<Integer> last = new LastChange<>(PATIENCE_MS);
    while (runs(all) < count) {
      if (last.isLongAgo(runs(all))) {
        throw new IOException(runs(all) + " of " + count + " jobs were submitted");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      all = forwarding.submissions();
    }
    return all;
  }

  private static int runs(List<NotedCall> submissions) {
    return submissions.stream().mapToInt(NotedCall::runs).sum();
  }

  private void awaitEmpty() throws IOException, InterruptedException {
    LastChange<Set<Long>> last = new LastChange<>(PATIENCE_MS);
    Set<Long> present = peer.live().present(PeerCluster.ACCOUNT);
    while (!present.isEmpty()) {
      if (last.isLongAgo(present)) {
        throw new IOException(present.size() + " jobs are left in the " + cluster.system());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      present = peer.live().present(PeerCluster.ACCOUNT);
    }
  }

  /** One order after the other, with pauses: from the fact that a run was granted. */
  private BenchFigures orders(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("orders one by one");
    List<NotedCall> before = forwarding.submissions();
    for (int i = 0; i < ORDERS; i++) {
      qsub(site);
      TimeUnit.MILLISECONDS.sleep(ORDER_GAP_MS);
    }
    List<NotedCall> all = awaitSubmissions(runs(before) + ORDERS);
    List<NotedCall> submissions = all.subList(before.size(), all.size());
    Map<String, Long> granted = granted(site);
    double[] took = new double[submissions.size()];
    for (int i = 0; i < took.length; i++) {
      String run = submissions.get(i).run();
      if (!granted.containsKey(run)) {
        throw new IOException("run " + run + " was submitted and is not granted in the ledger");
      }
      took[i] = submissions.get(i).atMs() - granted.get(run);
    }
    return BenchFigures.none()
        .with("order_to_submission_p50_ms", BenchFigures.quantile(took, 0.5))
        .with("order_to_submission_p99_ms", BenchFigures.quantile(took, 0.99));
  }

  private static Map<String, Long> granted(BenchSite site) throws IOException {
    Map<String, Long> granted = new HashMap<>();
    try (LedgerConsumer ledger =
        LedgerConsumer.ofShards(monitor(site), ClusterSettings.read(site.home()).shards())) {
      for (LedgerEntry entry : ledger.all()) {
        if (entry.fact() instanceof RunGranted fact) {
          String number = fact.getJobId().replaceFirst("\\..*", "");
          granted.put(number + " " + fact.getRun(), entry.meta().getAtMs());
        }
      }
    }
    return granted;
  }

  private static Map<String, Object> monitor(BenchSite site) throws IOException {
    return ClientSettings.read(site.home().client(KafkaPrincipal.MONITOR));
  }

  /** So many at once by two clients of the system's own command, and through Millrace. */
  private BenchFigures rates(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("the system's own command");
    long begin = System.nanoTime();
    submitTogether(commands.loop(script, jobs / CLIENTS));
    double own = jobs / CLIENTS * CLIENTS * 1e9 / (System.nanoTime() - begin);
    awaitEmpty();
    double ownEnds = jobs / CLIENTS * CLIENTS * 1e9 / (System.nanoTime() - begin);
    site.console().busy("as many through Millrace");
    // A name of its own each time: how far an earlier one has come stands beside it.
    Path lines = ends().resolveSibling("bulk" + System.nanoTime());
    readable(Files.write(lines, Collections.nCopies(jobs, script.toString())));
    double rate = rate(site, List.of("-z", "--bulk", lines.toString()));
    site.console().busy("an array of as many");
    double array = rate(site, List.of("-J", "1-" + jobs, script.toString()));
    site.console().busy("a campaign of as many");
    List<NotedCall> before = forwarding.submissions();
    begin = System.nanoTime();
    campaign(site);
    double campaign = rate(before);
    double campaignEnds = jobs * 1e9 / (System.nanoTime() - begin);
    return BenchFigures.none()
        .with("own_command_per_s", own)
        .with("submissions_per_s", rate)
        .with("share_of_own_command", rate / own)
        .with("subjobs_per_s", array)
        .with("campaign_per_s", campaign)
        .with("campaign_share_of_own_command", campaign / own)
        .with("own_command_ends_per_s", ownEnds)
        .with("campaign_ends_per_s", campaignEnds)
        .with("campaign_ends_share_of_own_command", campaignEnds / ownEnds);
  }

  /** The account's campaign, with a job of its own for each task. */
  private void campaign(BenchSite site) throws IOException, InterruptedException {
    CampaignDescription description =
        new CampaignDescription(
            "bench", jobs, Path.of("/bin/true"), ends().getParent(), "00:10:00");
    List<String> words = new ArrayList<>(PeerCommands.become());
    words.add(site.home().bin().resolve("gridsub").toString());
    words.add(description.json(List.of(cluster.cluster()), false));
    PeerCommands.must(words, site.clientEnvironment());
  }

  /** So many runs a second from the first answer to the last. */
  private double rate(BenchSite site, List<String> words) throws IOException, InterruptedException {
    List<NotedCall> before = forwarding.submissions();
    submit(site, words);
    return rate(before);
  }

  /** The same of what was asked for, after some. */
  private double rate(List<NotedCall> before) throws IOException, InterruptedException {
    List<NotedCall> all = awaitSubmissions(runs(before) + jobs);
    awaitEmpty();
    NotedCall first = all.get(before.size());
    long tookMs = all.get(all.size() - 1).atMs() - first.atMs();
    return (jobs - first.runs()) * 1000.0 / Math.max(1, tookMs);
  }

  /** Two clients submit by the system's own command. */
  private void submitTogether(List<String> loop) throws IOException, InterruptedException {
    List<Process> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      ProcessBuilder client = new ProcessBuilder(loop);
      client.environment().putAll(PeerCommands.environment());
      clients.add(
          client
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }
    for (Process client : clients) {
      if (client.waitFor() != 0) {
        throw new IOException(commands.submitting() + " fails");
      }
    }
  }

  /** Jobs that come and go in the system by themselves. */
  private BenchFigures changes(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("changes on the topic");
    Path own =
        readable(
            Files.writeString(
                folder.resolve("change.sh"),
                "#!/bin/sh\nbegan=$(date +%%s%%3N)\nsleep %d\n".formatted(LASTS_S)
                    + "echo \"${SLURM_JOB_ID:-$JOB_ID} $began $(date +%%s%%3N)\" >> '%s'\n"
                        .formatted(ends())));
    Map<Long, Long> submitted = new HashMap<>();
    long begin = System.currentTimeMillis();
    try (ObservedTopic topic = new ObservedTopic(monitor(site))) {
      for (int i = 0; i < CHANGES; i++) {
        long number = commands.submit(own);
        submitted.put(number, System.currentTimeMillis());
        topic.await(() -> false, CHANGE_GAP_MS);
      }
      boolean all =
          topic.await(
              () -> submitted.keySet().stream().allMatch(it -> topic.over().containsKey(key(it))),
              PATIENCE_MS);
      if (!all) {
        throw new IOException("the topic has not all of " + submitted.keySet());
      }
      long end = System.currentTimeMillis();
      long asked = watching.calls().stream().filter(it -> it.atMs() >= begin).count();
      Map<Long, Long> begun = times(1);
      Map<Long, Long> ended = times(2);
      return BenchFigures.none()
          .with("begin_to_topic_p95_ms", late(submitted, topic.shown()))
          .with("running_to_topic_p95_ms", late(begun, topic.begun()))
          .with("ending_to_topic_p95_ms", late(ended, topic.ending()))
          .with("end_to_topic_p95_ms", late(ended, topic.over()))
          .with("questions_in_5_s", asked * 5000.0 / (end - begin));
    }
  }

  private static String key(long number) {
    return OBSERVED + "/" + number;
  }

  /** What jobs have written, by their numbers: 1 when they began, 2 when they ended. */
  private Map<Long, Long> times(int word) throws IOException {
    Map<Long, Long> ended = new HashMap<>();
    for (String line : Files.readAllLines(ends())) {
      String[] words = line.split(" ");
      ended.put(Long.parseLong(words[0]), Long.parseLong(words[word]));
    }
    return ended;
  }

  private static double late(Map<Long, Long> happened, Map<String, Long> shown) {
    double[] late =
        happened.entrySet().stream()
            .mapToDouble(it -> shown.get(key(it.getKey())) - it.getValue())
            .toArray();
    return BenchFigures.quantile(late, 0.95);
  }

  /** Who watches a cluster with a long queue starts from nothing. */
  private BenchFigures longQueue(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("a queue of " + QUEUED + " jobs");
    long held = commands.submitHeld(script);
    Path fresh = folder.resolve("answer.new");
    LongQueue.write(cluster, commands.queue(), held, QUEUED, fresh);
    commands.delete(held);
    String part = "forward-" + LONG;
    site.installation().kill(part);
    site.installation().awaitEnd(part);
    Files.move(fresh, answer(), StandardCopyOption.REPLACE_EXISTING);
    long begin = System.nanoTime();
    site.installation().start(part);
    try (ObservedTopic topic = new ObservedTopic(monitor(site))) {
      boolean all = topic.await(() -> topic.count(LONG) >= QUEUED, PATIENCE_MS / 3);
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (!all) {
        site.console().say(topic.count(LONG) + " of " + QUEUED + " jobs are on the topic");
      }
      BenchFigures figures =
          BenchFigures.none()
              .with("mirrored_jobs", topic.count(LONG))
              .with("mirrored_from_cold_s", seconds)
              .with("answer_mib", Files.size(answer()) / 1048576.0);
      return all && site.installation().alive(part)
          ? figures.with("mirror_heap_mib", ServerHeap.mib(site, part))
          : figures;
    } finally {
      site.installation().kill(part);
    }
  }

  private BenchFigures idle(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("waiting");
    awaitEmpty();
    long pid = site.pid(cluster.part()).orElseThrow();
    return BenchFigures.none().with("idle_percent_of_a_core", percentOfACore(pid));
  }

  /** What the system's own daemon uses beside a queue of held jobs, watched by us and not. */
  private BenchFigures daemonLoad(BenchSite site) throws IOException, InterruptedException {
    site.console().busy("a queue of held jobs");
    submitTogether(commands.loopHeld(script, jobs / CLIENTS));
    long daemon = commands.daemon();
    long before = asked();
    OptionalLong served = commands.served();
    double watched = percentOfACore(daemon);
    OptionalLong servedWatched = commands.served();
    long questions = asked() - before;
    for (String part : List.of(cluster.part(), "forward-" + OBSERVED)) {
      site.installation().kill(part);
      site.installation().awaitEnd(part);
    }
    OptionalLong left = commands.served();
    double alone = percentOfACore(daemon);
    OptionalLong servedAlone = commands.served();
    commands.deleteAll();
    BenchFigures figures = BenchFigures.none();
    if (served.isPresent()) {
      figures =
          figures
              .with("daemon_alone_requests", servedAlone.getAsLong() - left.getAsLong())
              .with("daemon_watched_requests", servedWatched.getAsLong() - served.getAsLong());
    }
    return figures
        .with("held_jobs", jobs / CLIENTS * CLIENTS)
        .with("daemon_alone_percent_of_a_core", alone)
        .with("daemon_watched_percent_of_a_core", watched)
        .with("questions_meanwhile", questions);
  }

  private long asked() throws IOException {
    return watching.calls().size();
  }

  private static double percentOfACore(long pid) throws IOException, InterruptedException {
    double before = ProcessorTime.ofLiving(pid).orElseThrow();
    TimeUnit.SECONDS.sleep(IDLE_S);
    return (ProcessorTime.ofLiving(pid).orElseThrow() - before) / (IDLE_S * 1e4);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (peer != null) {
      peer.close();
    }
    if (folder != null) {
      FolderTree.delete(folder);
    }
  }
}
