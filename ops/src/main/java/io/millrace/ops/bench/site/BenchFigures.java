package io.millrace.ops.bench.site;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Named numbers of one run; a name ends with the unit. */
public record BenchFigures(Map<String, Double> values) {

  public static BenchFigures none() {
    return new BenchFigures(new LinkedHashMap<>());
  }

  public BenchFigures with(String name, double value) {
    Map<String, Double> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new BenchFigures(more);
  }

  public BenchFigures with(BenchFigures others) {
    Map<String, Double> more = new LinkedHashMap<>(values);
    more.putAll(others.values);
    return new BenchFigures(more);
  }

  /** Median of each figure over the runs; one that a run does not have was zero there. */
  public static BenchFigures medians(List<BenchFigures> runs) {
    Map<String, Double> medians = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    runs.forEach(run -> names.addAll(run.values.keySet()));
    for (String name : names) {
      double[] all =
          runs.stream().mapToDouble(run -> run.values.getOrDefault(name, 0.0)).sorted().toArray();
      int middle = all.length / 2;
      medians.put(name, all.length % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2);
    }
    return new BenchFigures(medians);
  }

  /** The smallest value that at least this fraction of the values does not exceed. */
  public static double quantile(double[] values, double part) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values to take a quantile of");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }
}
