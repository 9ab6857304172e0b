package io.millrace.ops.bench;

import io.millrace.ops.launcher.Console;
import java.util.Arrays;

/**
 * What a cycle with a hundred promises costs, reasons included: everything from nothing, and after
 * the end of one run.
 */
final class CycleTimes implements Computation {

  private static final int ENDS = 9;
  private static final int WARM_UPS = 3;
  private static final double MS = 1e6;

  @Override
  public void prepare(Console console) {
    for (int i = 1; i <= WARM_UPS; i++) {
      console.busy("warm-up " + i + " of " + WARM_UPS);
      FullCluster cluster = new FullCluster(1_000, 5_000, 5_000);
      cluster.everything();
      cluster.everything();
      for (int end = 0; end < ENDS; end++) {
        cluster.oneEnd(end);
      }
    }
  }

  @Override
  public Figures run(Console console) {
    FullCluster different = new FullCluster(1_000, 5_000, 5_000);
    Figures figures =
        Figures.none()
            .with("cycle_5000_different_ms", median(different, 7))
            .with("bytes_per_job_5000_different", different.bytesPerJob());
    FullCluster large = new FullCluster(10_000, 100_000, 500);
    figures =
        figures
            .with("cycle_100000_in_500_classes_ms", median(large, 5))
            .with("bytes_per_job_100000_in_500_classes", large.bytesPerJob());
    double[] ends = new double[ENDS];
    for (int i = 0; i < ENDS; i++) {
      ends[i] = large.oneEnd(i) / MS;
    }
    return figures
        .with("cycle_after_one_end_ms", Figures.quantile(ends, 0.5))
        .with("cycle_after_one_end_p90_ms", Figures.quantile(ends, 0.9))
        .with("promises", large.promises());
  }

  private static double median(FullCluster cluster, int rounds) {
    double[] all = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      all[i] = cluster.everything() / MS;
    }
    Arrays.sort(all);
    return all[rounds / 2];
  }
}
