package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import java.util.Arrays;

/** What a run of the Grid Engine dialect costs: 5,000 waiting jobs, 20 promises, all reasons. */
final class GridEngineTimes implements Computation {

  private static final int HOSTS = 100;
  private static final int JOBS = 5_000;
  private static final int PROMISES = 20;
  private static final int ROUNDS = 7;
  private static final double MS = 1e6;

  @Override
  public BenchFigures run(Console console) {
    return median("slots_free_5000_different", 3, JOBS)
        .with(median("slots_free_50_categories", 3, 50))
        .with(median("no_slot_free_5000_different", 4, JOBS));
  }

  /**
   * @param busy number of busy slots out of the four of each of a hundred hosts; no host has memory
   *     left
   */
  private static BenchFigures median(String what, int busy, int categories) {
    GridEngineLoad load = new GridEngineLoad(HOSTS, busy, PROMISES).queue(JOBS, categories);
    double[] all = new double[ROUNDS];
    int promises = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      promises = load.cycle().promises().size();
      all[i] = (System.nanoTime() - begin) / MS;
    }
    Arrays.sort(all);
    return BenchFigures.none()
        .with(what + "_ms", all[ROUNDS / 2])
        .with(what + "_promises", promises);
  }
}
