package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.StartDelays;
import java.util.List;

/** Submission to the script's first instruction, at 50 jobs/s and at 1 job/s. */
final class StartLatency implements Benchmark {

  /**
   * Jobs of the warm-up, about 80 s: by then the JIT compiler is done with the code of a start, as
   * in an installation that runs for weeks.
   */
  private static final int WARM_JOBS = 9_600;

  private static final int WARM_JOBS_PER_S = 120;
  private static final int QUICK_JOBS = 500;

  /** Medians of fewer differ by more than the 5 % that builds are compared by. */
  private static final int SLOW_JOBS = 60;

  private StartDelays times;

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=64,mem=256gb");
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    times = new StartDelays(site, "start", List.of());
    site.console().busy("warming up");
    times.measure(WARM_JOBS, WARM_JOBS_PER_S);
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    double[] quick = times.measure(QUICK_JOBS, 50);
    double[] slow = times.measure(SLOW_JOBS, 1);
    return BenchFigures.none()
        .with("p50_at_50_per_s_ms", BenchFigures.quantile(quick, 0.5))
        .with("p99_at_50_per_s_ms", BenchFigures.quantile(quick, 0.99))
        .with("p50_at_1_per_s_ms", BenchFigures.quantile(slow, 0.5))
        .with("max_at_1_per_s_ms", BenchFigures.quantile(slow, 1));
  }
}
