package io.millrace.ops.bench.reservations;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.RunRequeued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How soon what was reserved is there: the first instruction of a job that waits for its window, on
 * an idle node and on one whose runs have to go first; 500 windows that begin in one second; a lost
 * node. Times are those that scripts write, and of facts in the ledger.
 */
public final class ReservationStarts implements Benchmark {

  private static final int WARM = 40;
  private static final int IDLE = 100;
  private static final int REQUEUED = 20;
  private static final int RUNS_EACH = 4;
  private static final int AT_ONCE = 500;
  private static final int LOST = 20;
  private static final int PATIENCE_S = 300;
  private static final int LOOK_MS = 20;
  private static final long FAR_S = 86_400;
  private static final Pattern NODE = Pattern.compile("resv_nodes = \\((\\w+):");

  private ReservationCalls calls;
  private Path folder;

  /** When jobs have begun, in milliseconds since 1970, by tag. */
  private final Map<String, Double> begun = new HashMap<>();

  /** Beginnings of windows, and the queues of them, by tag of the job. */
  private final Map<String, Double> starts = new HashMap<>();

  private final Map<String, String> queues = new HashMap<>();

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=1,mem=64gb");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    calls = new ReservationCalls(site);
    folder = site.folder("reserve");
    calls.qmgr("set server max_reservations = [u:PBS_GENERIC=20000]");
    calls.qmgr("set server job_history_enable = True");
    calls.nodes("i", AT_ONCE, "resources_available.ncpus=4,resources_available.mem=64gb");
    Files.writeString(
        folder.resolve("begun.sh"),
        "#!/bin/bash\necho \"$TAG ${EPOCHREALTIME//[.,]/}\" >> " + folder + "/begun\n");
    Files.createFile(folder.resolve("begun"));
    // What has to give way is in a partition of one node: elsewhere there would be an idle one.
    calls.qmgr("create sched way partition=way,scheduling=True");
    calls.qmgr("create queue way queue_type=execution,enabled=True,started=True,partition=way");
    calls.nodes("g", 1, "resources_available.ncpus=4,partition=way");
    site.console().busy("warming up");
    idle(WARM, "w");
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    site.console().busy("windows on idle nodes");
    BenchFigures figures = told(site, "first_instruction_idle", idle(IDLE, "i"));
    site.console().busy("windows on nodes with runs");
    figures = figures.with(told(site, "first_instruction_after_requeue", requeued(site)));
    site.console().busy(AT_ONCE + " windows in one second");
    figures = figures.with(atOnce(site));
    site.console().busy("lost nodes");
    return figures.with(told(site, "replaced", replaced()));
  }

  /** The whole takes long, so each part is told when it is known. */
  private static BenchFigures told(BenchSite site, String name, double[] ms) {
    BenchFigures figures = ReservationCalls.figures(name, ms);
    figures.values().forEach((it, value) -> site.console().say(it + " " + Math.round(value)));
    return figures;
  }

  private static long nowS() {
    return System.currentTimeMillis() / 1000;
  }

  private String reserve(long startS, long lengthS, int chunks)
      throws IOException, InterruptedException {
    return calls.reserve(
        List.of(
            "pbs_rsub",
            "-I",
            "10",
            "-R",
            ReservationCalls.time(startS),
            "-D",
            Long.toString(lengthS),
            "-l",
            "select=" + chunks + ":ncpus=4"));
  }

  private void submit(String queue, String tag) throws IOException, InterruptedException {
    calls.ask(
        List.of(
            "qsub",
            "-q",
            queue,
            "-v",
            "TAG=" + tag,
            "-j",
            "oe",
            "-o",
            folder + "/",
            "-S",
            "/bin/bash",
            folder.resolve("begun.sh").toString()));
  }

  /** Windows one second after the other, each with a job that waits; milliseconds late of each. */
  private double[] idle(int count, String tag) throws IOException, InterruptedException {
    long firstS = nowS() + 10 + count / 5;
    for (int i = 0; i < count; i++) {
      String queue = reserve(firstS + i, FAR_S, 1);
      submit(queue, tag + i);
      starts.put(tag + i, 1000.0 * (firstS + i));
      queues.put(tag + i, queue);
    }
    return late(count, tag);
  }

  private double[] late(int count, String tag) throws IOException, InterruptedException {
    awaitBegun(count, tag);
    double[] ms = new double[count];
    for (int i = 0; i < count; i++) {
      ms[i] = begun.get(tag + i) - starts.get(tag + i);
      calls.ask(List.of("pbs_rdel", queues.get(tag + i)));
    }
    return ms;
  }

  private void awaitBegun(int count, String tag) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      for (String line : Files.readAllLines(folder.resolve("begun"))) {
        String[] words = line.split(" ");
        if (words.length == 2) {
          begun.putIfAbsent(words[0], Long.parseLong(words[1]) / 1e3);
        }
      }
      long there = begun.keySet().stream().filter(it -> it.matches(tag + "\\d+")).count();
      if (there == count) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(there + " of " + count + " jobs have begun");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** From the end of the last run that had to go to the first instruction of the job inside. */
  private double[] requeued(BenchSite site) throws IOException, InterruptedException {
    double[] ms = new double[REQUEUED];
    for (int i = 0; i < REQUEUED; i++) {
      List<String> others = new ArrayList<>();
      for (int k = 0; k < RUNS_EACH; k++) {
        String line = "walltime=01:00:00,select=1:ncpus=1";
        others.add(
            calls.ask(List.of("qsub", "-q", "way", "-l", line, "--", "/bin/sleep", "100000")));
      }
      awaitRuns(others);
      long startS = nowS() + 4;
      String start = ReservationCalls.time(startS);
      String queue =
          calls.reserve(
              List.of("plus_reserve", "-sgeq", "way", "-s", start, "-D", "3600", "-n", "1"));
      submit(queue, "q" + i);
      awaitBegun(i + 1, "q");
      ms[i] = begun.get("q" + i) - lastGoneMs(site, others);
      calls.ask(List.of("plus_destroy", "-r", queue));
      List<String> delete = new ArrayList<>(List.of("qdel", "-W", "force"));
      delete.addAll(others);
      calls.ask(delete);
    }
    return ms;
  }

  private void awaitRuns(List<String> jobs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    for (String job : jobs) {
      while (!calls.ask(List.of("qstat", "-f", job)).contains("job_state = R")) {
        if (System.nanoTime() > deadline) {
          throw new IOException(job + " does not run");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
  }

  private static double lastGoneMs(BenchSite site, List<String> jobs) throws IOException {
    double last = 0;
    for (LedgerEntry entry : ledger(site)) {
      if (entry.fact() instanceof RunRequeued gone && jobs.contains(gone.getJobId())) {
        last = Math.max(last, entry.meta().getAtMs());
      }
    }
    if (last == 0) {
      throw new IOException("no run of " + jobs + " has given way");
    }
    return last;
  }

  /** Each on a node of its own, with a job in each tenth. */
  private BenchFigures atOnce(BenchSite site) throws IOException, InterruptedException {
    long startS = nowS() + 20 + AT_ONCE / 8;
    List<String> all = new ArrayList<>();
    int jobs = 0;
    for (int i = 0; i < AT_ONCE; i++) {
      String queue = reserve(startS, FAR_S, 1);
      all.add(queue);
      if (i % 10 == 0) {
        starts.put("a" + jobs, 1000.0 * startS);
        queues.put("a" + jobs, queue);
        submit(queue, "a" + jobs++);
      }
    }
    double[] jobsMs = late(jobs, "a");
    List<Double> ms = new ArrayList<>();
    for (LedgerEntry entry : ledger(site)) {
      if (entry.fact() instanceof ReservationStarted started
          && all.contains(started.getReservation().getQueue())) {
        ms.add(entry.meta().getAtMs() - 1000.0 * startS);
      }
    }
    if (ms.size() < AT_ONCE) {
      throw new IOException(ms.size() + " of " + AT_ONCE + " windows have begun");
    }
    for (String queue : all) {
      if (!queues.containsValue(queue)) {
        calls.ask(List.of("pbs_rdel", queue));
      }
    }
    double[] late = ms.stream().mapToDouble(it -> it).toArray();
    return told(site, "begun_of_500", late).with(told(site, "first_instruction_of_500", jobsMs));
  }

  /** From before a node is put offline until a command shows that another is in its place. */
  private double[] replaced() throws IOException, InterruptedException {
    double[] ms = new double[LOST];
    for (int i = 0; i < LOST; i++) {
      String queue = reserve(nowS() + FAR_S, FAR_S, 8);
      Matcher first = NODE.matcher(calls.ask(List.of("pbs_rstat", "-f", queue)));
      if (!first.find()) {
        throw new IOException(queue + " shows no nodes");
      }
      String node = first.group(1);
      long begin = System.nanoTime();
      calls.qmgr("set node " + node + " state = offline");
      while (calls.ask(List.of("pbs_rstat", "-f", queue)).contains("(" + node + ":")) {
        if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
          throw new IOException(node + " is not replaced in " + queue);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
      ms[i] = (System.nanoTime() - begin) / 1e6;
      calls.ask(List.of("pbs_rdel", queue));
      calls.qmgr("set node " + node + " state = free");
    }
    return ms;
  }

  private static List<LedgerEntry> ledger(BenchSite site) throws IOException {
    try (LedgerConsumer ledger =
        LedgerConsumer.ofShards(
            ClientSettings.read(site.home().client(KafkaPrincipal.MONITOR)),
            ClusterSettings.read(site.home()).shards())) {
      return ledger.all();
    }
  }
}
