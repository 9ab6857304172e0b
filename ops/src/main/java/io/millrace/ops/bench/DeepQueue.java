package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.ProcessorTime;
import io.millrace.ops.bench.site.ServerHeap;
import io.millrace.ops.bench.site.StartDelays;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A queue full of jobs that cannot run: how quickly it fills, and how it delays the next submission
 * and query; then two restarts of the server.
 */
final class DeepQueue implements Benchmark {

  private static final int QUEUES = 20;
  private static final int WARM_PROBES = 60;

  /** Medians of fewer differ by more than the 5 % that builds are compared by. */
  private static final int PROBES = 240;

  private static final int QUESTIONS = 20;
  private static final int RESTART_PATIENCE_S = 120;
  private static final int LOOK_MS = 10;

  private final int jobs;
  private final boolean different;

  /**
   * @param different every job asks for something else; otherwise there are 500 classes
   */
  DeepQueue(int jobs, boolean different) {
    this.jobs = jobs;
    this.different = different;
  }

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=64,mem=256gb", "--heap", "server=1500m");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    for (int queue = 0; queue < QUEUES; queue++) {
      site.client()
          .ask(
              site.home().root(),
              "qmgr",
              "-c",
              "create queue "
                  + DeepLoad.queue(queue)
                  + " queue_type=execution,enabled=True,started=True");
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    StartDelays probe = new StartDelays(site, "probe", List.of("-p", "1000"));
    probe.measure(WARM_PROBES, 20);
    DeepLoad load = new DeepLoad(site.gateway(), QUEUES, new Random(1));
    double cpuBefore = ProcessorTime.micros(site);
    double perSecond = load.submit(jobs, different, site.console());
    double cpu = (ProcessorTime.micros(site) - cpuBefore) / jobs;
    BenchFigures figures =
        BenchFigures.none().with("submitted_per_s", perSecond).with("cpu_per_submitted_us", cpu);
    double[] starts = probe.measure(PROBES, 4);
    figures =
        figures
            .with("next_job_p50_ms", BenchFigures.quantile(starts, 0.5))
            .with("next_job_p99_ms", BenchFigures.quantile(starts, 0.99))
            .with("qstat_queues_p50_ms", question(site, "-Q"))
            .with("qstat_job_p50_ms", question(site, load.someJob()))
            .with("server_heap_used_mib", ServerHeap.mib(site));
    figures = figures.with("clean_restart_to_start_s", restart(site, probe, false));
    return figures.with("killed_restart_to_start_s", restart(site, probe, true));
  }

  private static double question(BenchSite site, String argument)
      throws IOException, InterruptedException {
    double[] millis = new double[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      long begin = System.nanoTime();
      site.client().ask(site.home().root(), "qstat", argument);
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    return BenchFigures.quantile(millis, 0.5);
  }

  /** Seconds from the start of a new server process to the first job that it starts. */
  private static double restart(BenchSite site, StartDelays probe, boolean kill)
      throws IOException, InterruptedException {
    Installation parts = site.installation();
    if (kill) {
      parts.kill("server");
      parts.awaitEnd("server");
    } else {
      parts.stop("server");
    }
    long begin = System.nanoTime();
    parts.start("server");
    long deadline = begin + TimeUnit.SECONDS.toNanos(RESTART_PATIENCE_S);
    while (!parts.ready("server")) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the server is not back after " + RESTART_PATIENCE_S + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    probe.measure(1, 1);
    return (System.nanoTime() - begin) / 1e9;
  }
}
