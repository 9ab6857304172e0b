package io.millrace.ops.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A line for each figure, a column for each system, and how many times better the first one is. */
final class PeerTable {

  /** Leaves out the processes of single jobs, to which systems leave more or less of the work. */
  private static final String DAEMONS = "_daemons_ms";

  private PeerTable() {}

  /**
   * @param figures named SYSTEM_FIGURE
   * @param systems the first of which the others are compared with
   */
  static List<String> lines(Map<String, Double> figures, List<BatchSystem> systems) {
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-28s", ""));
    systems.forEach(it -> head.append(String.format(Locale.ROOT, "%20s", it.title())));
    lines.add(head.toString());
    String first = systems.get(0).name() + "_";
    for (Map.Entry<String, Double> each : figures.entrySet()) {
      if (each.getKey().startsWith(first)) {
        String figure = each.getKey().substring(first.length());
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-28s", figure));
        for (BatchSystem system : systems) {
          Double value = figures.get(system.name() + "_" + figure);
          line.append(cell(figure, value, each.getValue()));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }

  /**
   * The figure and, but for the first system, in brackets how many times better that one is, where
   * it can be compared.
   */
  private static String cell(String figure, Double value, double best) {
    if (value == null) {
      return String.format(Locale.ROOT, "%20s", "-");
    }
    String text = String.format(Locale.ROOT, "%.1f", value);
    if (value != best && !figure.endsWith(DAEMONS)) {
      double ratio = figure.endsWith("_per_s") ? best / value : value / best;
      text += String.format(Locale.ROOT, " (%.1fx)", ratio);
    }
    return String.format(Locale.ROOT, "%20s", text);
  }
}
