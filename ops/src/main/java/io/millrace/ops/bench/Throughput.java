package io.millrace.ops.bench;

import io.millrace.ops.bench.call.QueueStatusLine;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Whole life cycles: {@code qsub --bulk} through the client, until the last job has ended. With the
 * null executor no process is started; with the local one each job is /bin/true.
 */
final class Throughput implements Benchmark {

  /** Nodes of 64 processors that the null executor serves. */
  private static final int NULL_NODES = 16;

  private static final int LOOK_MS = 50;
  private static final int PATIENCE_S = 300;

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
    awaitIdle(site, folder);
    double allS = (System.nanoTime() - begin) / 1e9;
    return BenchFigures.none()
        .with("life_cycles_per_s", count / allS)
        .with("submitted_per_s", count / submitS);
  }

  /** Waits until all jobs of the queue have ended. */
  private static void awaitIdle(BenchSite site, Path folder)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      String said = site.command(folder, "qstat", List.of("-Q", "workq"));
      if (QueueStatusLine.of(said, "workq").unfinished() == 0) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("jobs are left after " + PATIENCE_S + " s: " + said);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
