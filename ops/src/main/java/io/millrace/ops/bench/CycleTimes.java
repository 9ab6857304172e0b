package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import java.util.Arrays;

/**
 * Time of a cycle with a hundred promises, reasons included: computed from scratch, and after the
 * end of one run. With the files of a PBS scheduler also that of a decay of what entities have
 * used.
 */
final class CycleTimes implements Computation {

  private static final int ENDS = 21;
  private static final int FADES = 7;
  private static final int ENTITIES = 10_000;

  /** Owners of jobs of few classes. */
  private static final int FEW = 100;

  private static final double MS = 1e6;

  private final CyclePolicy policy;

  CycleTimes(CyclePolicy policy) {
    this.policy = policy;
  }

  @Override
  public void warmUp(Console console) {
    FullCluster cluster = new FullCluster(1_000, 5_000, 5_000, policy);
    cluster.everything();
    cluster.everything();
    for (int end = 0; end < ENDS; end++) {
      cluster.oneEnd(end);
    }
  }

  @Override
  public BenchFigures run(Console console) {
    // Each in a method of its own, since a cluster that is still reachable would add to the next
    // one's memory.
    return different().with(inSets()).with(bytes()).with(large()).with(decay());
  }

  private BenchFigures different() {
    FullCluster cluster = new FullCluster(1_000, 5_000, 5_000, policy);
    return BenchFigures.none()
        .with("cycle_5000_different_ms", median(cluster, 7))
        .with(ends(cluster, "cycle_5000_different_after_one_end"));
  }

  private BenchFigures inSets() {
    FullCluster cluster = new FullCluster(1_000, 5_000, 5_000, policy).inSets(1_000, 10);
    return BenchFigures.none()
        .with("cycle_5000_different_100_sets_ms", median(cluster, 7))
        .with(ends(cluster, "cycle_5000_different_100_sets_after_one_end"));
  }

  private BenchFigures bytes() {
    double bytes = new FullCluster(1_000, 100_000, 100_000, policy).bytesPerJob();
    return BenchFigures.none().with("bytes_per_job_100000_different", bytes);
  }

  private BenchFigures large() {
    FullCluster cluster = new FullCluster(10_000, 100_000, 500, policy.owners(FEW));
    return BenchFigures.none()
        .with("cycle_100000_in_500_classes_ms", median(cluster, 5))
        .with(ends(cluster, "cycle_after_one_end"))
        .with("promises", cluster.promises());
  }

  private BenchFigures decay() {
    if (!policy.ofSite()) {
      return BenchFigures.none();
    }
    double[] all = new double[FADES];
    for (int i = 0; i < FADES; i++) {
      all[i] = new FullCluster(1, 1, 1, policy).fade(ENTITIES) / MS;
    }
    Arrays.sort(all);
    return BenchFigures.none().with("decay_10000_entities_ms", all[FADES / 2]);
  }

  private static BenchFigures ends(FullCluster cluster, String name) {
    double[] ends = new double[ENDS];
    for (int i = 0; i < ENDS; i++) {
      ends[i] = cluster.oneEnd(i) / MS;
    }
    return BenchFigures.none()
        .with(name + "_ms", BenchFigures.quantile(ends, 0.5))
        .with(name + "_p90_ms", BenchFigures.quantile(ends, 0.9));
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
