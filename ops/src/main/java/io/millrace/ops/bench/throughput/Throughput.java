package io.millrace.ops.bench.throughput;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.installation.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Whole life cycles: {@code qsub --bulk} through the client, until the last job has ended. With the
 * null executor no process is started; with the local one each job is /bin/true.
 */
public final class Throughput implements Benchmark {

  /** Nodes of 64 processors that the null executor serves. */
  private static final int NULL_NODES = 16;

  static final String QUEUE = "workq";

  private final boolean local;
  private final int jobs;

  public Throughput(boolean local, int jobs) {
    this.local = local;
    this.jobs = jobs;
  }

  @Override
  public List<String> upOptions() {
    // A start waits for a free processor only when the node is full, so both get the same size.
    return local
        ? List.of("--resources", "ncpus=64,mem=64gb")
        : List.of("--executor", "null", "--resources", "ncpus=64,mem=64gb");
  }

  int jobs() {
    return jobs;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    if (!local) {
      // Many nodes of a usual size, since a single node that runs thousands of jobs is unrealistic.
      addNodes(site, "null", 2, "");
    }
    site.console().busy("warming up");
    cycle(site, List.of(QUEUE), Math.min(jobs, local ? 2_000 : 10_000), "warm");
  }

  /** A partition with a queue of that name and nodes of its own; it may lie in another shard. */
  void addPartition(BenchSite site, String name) throws Exception {
    List<String> objects =
        List.of(
            "create sched " + name,
            "set sched " + name + " partition = " + name,
            "set sched " + name + " scheduling = True",
            "create queue "
                + name
                + " queue_type=Execution,started=True,enabled=True,partition="
                + name);
    for (String directive : objects) {
      site.client().ask(site.folder("nodes"), "qmgr", "-c", directive);
    }
    addNodes(site, name, 1, ",partition=" + name);
  }

  private static void addNodes(BenchSite site, String prefix, int from, String more)
      throws Exception {
    for (int node = from; node <= NULL_NODES; node++) {
      String create =
          "create node "
              + prefix
              + node
              + " Mom="
              + Installation.host(1)
              + ",resources_available.ncpus=64,resources_available.mem=64gb"
              + more;
      site.client().ask(site.folder("nodes"), "qmgr", "-c", create);
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    return cycle(site, List.of(QUEUE), "run");
  }

  /** All jobs, the same number of them in each queue, submitted at the same time. */
  BenchFigures cycle(BenchSite site, List<String> queues, String name) throws Exception {
    return cycle(site, queues, jobs, name);
  }

  private static BenchFigures cycle(BenchSite site, List<String> queues, int count, String name)
      throws Exception {
    Path folder = site.folder(name);
    int each = count / queues.size();
    List<Path> files = new ArrayList<>();
    for (String queue : queues) {
      Path file = folder.resolve("bulk-" + queue + System.nanoTime());
      String line = "-q " + queue + " -j oe -o " + folder + "/ -- /bin/true\n";
      files.add(Files.writeString(file, line.repeat(each)));
    }
    ExecutorService clients = Executors.newFixedThreadPool(queues.size());
    long begin = System.nanoTime();
    try {
      List<Future<?>> submitted = new ArrayList<>();
      for (Path file : files) {
        submitted.add(
            clients.submit(() -> site.client().ask(folder, "qsub", "--bulk", file.toString())));
      }
      for (Future<?> one : submitted) {
        one.get();
      }
    } finally {
      clients.shutdownNow();
    }
    double submitS = (System.nanoTime() - begin) / 1e9;
    for (String queue : queues) {
      site.awaitIdle(queue);
    }
    double allS = (System.nanoTime() - begin) / 1e9;
    int all = each * queues.size();
    return BenchFigures.none()
        .with("life_cycles_per_s", all / allS)
        .with("submitted_per_s", all / submitS);
  }
}
