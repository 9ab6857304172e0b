package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.StartDelays;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Submission to the script's first instruction on a node that is full of best-effort runs: each
 * start has one of them killed first.
 */
final class BestEffortStarts implements Benchmark {

  private static final int CPUS = 64;
  private static final int TASKS = 5_000;
  private static final int WARM_JOBS = 1_200;
  private static final int WARM_JOBS_PER_S = 20;
  private static final int JOBS = 200;
  private static final int JOBS_PER_S = 2;
  private static final int PATIENCE_S = 120;
  private static final int LOOK_MS = 100;

  private StartDelays times;

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=" + CPUS + ",mem=256gb");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    ask(
        site,
        "qmgr",
        "-c",
        "create queue be queue_type=e,enabled=t,started=t,best_effort=True,kill_delay=0");
    ask(site, "qsub", "-q", "be", "-J", "1-" + TASKS, "--", "/bin/sleep", "100000");
    times = new StartDelays(site, "start", List.of("-q", "workq"));
    awaitFull(site);
    site.console().busy("warming up");
    times.measure(WARM_JOBS, WARM_JOBS_PER_S);
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    awaitFull(site);
    double[] delays = times.measure(JOBS, JOBS_PER_S);
    return BenchFigures.none()
        .with("p50_ms", BenchFigures.quantile(delays, 0.5))
        .with("p99_ms", BenchFigures.quantile(delays, 0.99))
        .with("max_ms", BenchFigures.quantile(delays, 1));
  }

  /** Waits until no processor is idle. */
  private static void awaitFull(BenchSite site) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (ask(site, "qselect", "-q", "be", "-s", "R", "-T").lines().count() < CPUS) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the node is not full of best-effort runs");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private static String ask(BenchSite site, String... words)
      throws IOException, InterruptedException {
    String[] arguments = Arrays.copyOfRange(words, 1, words.length);
    return site.client().ask(site.folder("best-effort"), words[0], arguments).out().strip();
  }
}
