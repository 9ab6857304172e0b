package io.millrace.ops.simulate;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Results for people: a line for each policy. */
final class ResultTable {

  private ResultTable() {}

  static List<String> lines(List<Result> results) {
    int width = Math.max(6, results.stream().mapToInt(it -> it.policy().length()).max().orElse(0));
    String head =
        String.format(
            "%-" + width + "s  %9s  %21s  %11s  %11s  %10s  %9s",
            "policy",
            "jobs",
            "bounded_slowdown_mean",
            "wait_mean_s",
            "utilisation",
            "makespan_s",
            "elapsed_s");
    return Stream.concat(Stream.of(head), results.stream().map(it -> line(width, it))).toList();
  }

  private static String line(int width, Result result) {
    return String.format(
        Locale.ROOT,
        "%-" + width + "s  %9d  %21.2f  %11.0f  %11.3f  %10d  %9.2f",
        result.policy(),
        result.metrics().jobs(),
        result.metrics().boundedSlowdownMean(),
        result.metrics().waitMeanS(),
        result.metrics().utilisation(),
        result.metrics().makespanS(),
        result.elapsedS());
  }
}
