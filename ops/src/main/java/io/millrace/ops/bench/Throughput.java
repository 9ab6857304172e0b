package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.installation.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whole life cycles: {@code qsub --bulk} through the client, until the last job has ended. With the
 * null executor no process is started; with the local one each job is /bin/true.
 */
final class Throughput implements Benchmark {

  /** Nodes of 64 processors that the null executor serves. */
  private static final int NULL_NODES = 16;

  private final boolean local;
  private final int jobs;

  Throughput(boolean local, int jobs) {
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

  @Override
  public void prepare(BenchSite site) throws Exception {
    if (!local) {
      // Many nodes of a usual size, since a single node that runs thousands of jobs is unrealistic.
      for (int node = 2; node <= NULL_NODES; node++) {
        String create =
            "create node null"
                + node
                + " Mom="
                + Installation.host(1)
                + ",resources_available.ncpus=64,resources_available.mem=64gb";
        site.client().ask(site.folder("nodes"), "qmgr", "-c", create);
      }
    }
    site.console().busy("warming up");
    cycle(site, Math.min(jobs, local ? 2_000 : 10_000), "warm");
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    return cycle(site, jobs, "run");
  }

  private BenchFigures cycle(BenchSite site, int count, String name) throws Exception {
    Path folder = site.folder(name);
    Path file = folder.resolve("bulk-" + System.nanoTime());
    Files.writeString(file, ("-j oe -o " + folder + "/ -- /bin/true\n").repeat(count));
    long begin = System.nanoTime();
    site.client().ask(folder, "qsub", "--bulk", file.toString());
    double submitS = (System.nanoTime() - begin) / 1e9;
    site.awaitIdle("workq");
    double allS = (System.nanoTime() - begin) / 1e9;
    return BenchFigures.none()
        .with("life_cycles_per_s", count / allS)
        .with("submitted_per_s", count / submitS);
  }
}
